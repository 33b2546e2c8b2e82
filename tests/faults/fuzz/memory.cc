#include "tests/faults/fuzz/memory.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// What one run may allocate in all, freed or not. Beyond it large blocks fail, so that an error
// finds room for its words; beyond the double everything does.
constexpr size_t kBudget = size_t{24} << 20, kLarge = 4096;

std::atomic<bool> is_short{false};
std::atomic<size_t> spent{0};

bool Refused(size_t bytes) {
  if (!is_short.load(std::memory_order_relaxed)) return false;
  if (bytes > kBudget) return true;
  const size_t now = spent.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  return now > 2 * kBudget || (now > kBudget && bytes > kLarge);
}

}  // namespace

namespace sy::fuzz {

ShortMemory::ShortMemory() {
  spent = 0;
  is_short = true;
}
ShortMemory::~ShortMemory() { is_short = false; }

}  // namespace sy::fuzz

extern "C" {

void* __real_malloc(size_t bytes);
void* __real_calloc(size_t n, size_t bytes);
void* __real_realloc(void* p, size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);

void* __wrap_malloc(size_t bytes) { return Refused(bytes) ? nullptr : __real_malloc(bytes); }
void* __wrap_calloc(size_t n, size_t bytes) {
  return Refused(n * bytes) ? nullptr : __real_calloc(n, bytes);
}
void* __wrap_realloc(void* p, size_t bytes) {
  return Refused(bytes) ? nullptr : __real_realloc(p, bytes);
}
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return Refused(bytes) ? nullptr : __real_aligned_alloc(alignment, bytes);
}

}  // extern "C"

// All forms but those for more than the usual alignment, so that none is a sanitizer's own.
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return __wrap_malloc(bytes == 0 ? 1 : bytes);
}
void* operator new(size_t bytes) {
  void* p = operator new(bytes, std::nothrow);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void* operator new[](size_t bytes, const std::nothrow_t& n) noexcept {
  return operator new(bytes, n);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete[](void* p, size_t) noexcept { std::free(p); }
