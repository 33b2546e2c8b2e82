#include "tests/faults/memory/memory_short.h"

#include <link.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "switchyard/core/macros.h"

extern "C" {
// glibc's own, under names that nothing replaces.
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace sy::testing {
namespace {

struct Range {
  uintptr_t begin, end;
};
// Where the code lies whose allocations count.
Range counted[8];
int num_counted = 0;

// Of this thread: a plain count, which no constructor makes and no destructor ends.
constinit thread_local int64_t asked = 0, refused = 0;
constinit thread_local int64_t first_refused = MemoryShort::kNever,
                               last_refused = MemoryShort::kNever;
std::atomic<int64_t> alive{0};

int AddCode(dl_phdr_info* info, size_t, void*) {
  const std::string_view name(info->dlpi_name);
  const bool counts = name.empty() || name.find("/libstdc++.so") != name.npos ||
                      name.find("/libc.so") != name.npos || name.find("/ld-linux") != name.npos;
  if (!counts) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || num_counted == 8) continue;
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    counted[num_counted++] = {begin, begin + segment.p_memsz};
  }
  return 0;
}

bool Counts(const void* caller) {
  const auto at = reinterpret_cast<uintptr_t>(caller);
  return std::any_of(counted, counted + num_counted,
                     [at](const Range& r) { return at >= r.begin && at < r.end; });
}

constinit thread_local bool watched = false;

bool Fails(const void* caller) {
  if (!watched || !Counts(caller)) return false;
  ++asked;
  if (asked < first_refused || asked > last_refused) return false;
  ++refused;
  return true;
}

void* Count(void* p) {
  if (p != nullptr) alive.fetch_add(1, std::memory_order_relaxed);
  return p;
}
[[maybe_unused]] void* Refuse() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

MemoryShort::MemoryShort(int64_t nth, How how) {
  if (num_counted == 0) dl_iterate_phdr(AddCode, nullptr);
  asked = refused = 0;
  first_refused = nth;
  last_refused = how == kOnce ? nth : kNever;
  watched = true;
}
MemoryShort::~MemoryShort() { watched = false; }
int64_t MemoryShort::count() { return asked; }
int64_t MemoryShort::failed() { return refused; }
int64_t BlocksInUse() { return alive.load(std::memory_order_relaxed); }

void* New(size_t bytes, size_t alignment, const void* caller) {
  if (Fails(caller)) throw std::bad_alloc();
  void* p = alignment <= alignof(std::max_align_t) ? __libc_malloc(bytes)
                                                   : __libc_memalign(alignment, bytes);
  if (p == nullptr) throw std::bad_alloc();
  return Count(p);
}

}  // namespace sy::testing

#if !SY_SANITIZED

using sy::testing::Count;
using sy::testing::Fails;
using sy::testing::Refuse;

#define SY_CALLER __builtin_return_address(0)

extern "C" {
void* malloc(size_t bytes) { return Fails(SY_CALLER) ? Refuse() : Count(__libc_malloc(bytes)); }
void* calloc(size_t n, size_t bytes) {
  return Fails(SY_CALLER) ? Refuse() : Count(__libc_calloc(n, bytes));
}
void* realloc(void* p, size_t bytes) {
  if (Fails(SY_CALLER)) return Refuse();
  void* q = __libc_realloc(p, bytes);
  return p == nullptr ? Count(q) : q;
}
void* memalign(size_t alignment, size_t bytes) {
  return Fails(SY_CALLER) ? Refuse() : Count(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  return Fails(SY_CALLER) ? Refuse() : Count(__libc_memalign(alignment, bytes));
}
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  void* p = Fails(SY_CALLER) ? nullptr : Count(__libc_memalign(alignment, bytes));
  if (p == nullptr) return ENOMEM;
  *out = p;
  return 0;
}
void free(void* p) {
  if (p == nullptr) return;
  sy::testing::alive.fetch_sub(1, std::memory_order_relaxed);
  __libc_free(p);
}
}

void* operator new(size_t bytes) { return sy::testing::New(bytes, 0, SY_CALLER); }
void* operator new[](size_t bytes) { return sy::testing::New(bytes, 0, SY_CALLER); }
void* operator new(size_t bytes, std::align_val_t a) {
  return sy::testing::New(bytes, static_cast<size_t>(a), SY_CALLER);
}
void* operator new[](size_t bytes, std::align_val_t a) {
  return sy::testing::New(bytes, static_cast<size_t>(a), SY_CALLER);
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return Fails(SY_CALLER) ? nullptr : Count(__libc_malloc(bytes));
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return Fails(SY_CALLER) ? nullptr : Count(__libc_malloc(bytes));
}
void operator delete(void* p) noexcept { free(p); }
void operator delete[](void* p) noexcept { free(p); }
void operator delete(void* p, size_t) noexcept { free(p); }
void operator delete[](void* p, size_t) noexcept { free(p); }
void operator delete(void* p, std::align_val_t) noexcept { free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { free(p); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept { free(p); }

#endif  // !SY_SANITIZED
