#include "switchyard/core/keep_object.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace sy::internal {
namespace {

// Where an object lies, from its first to its last page.
struct Object {
  uintptr_t begin = 0, end = 0;
  const char* name = nullptr;  // the dynamic linker's; "" for the program
  bool Holds(uintptr_t a) const { return a >= begin && a < end; }
};

// Objects that have been dealt with. When all places are taken the dynamic linker is asked each
// time.
constinit std::array<Object, 64> known{};
constinit std::atomic<size_t> num_known{0};
constinit std::atomic<const Object*> last{nullptr};

// The object that an address lies in; begin 0 where it lies in none.
Object Find(uintptr_t address) {
  struct Search {
    uintptr_t address;
    Object found;
  } search{address, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& s = *static_cast<Search*>(data);
        Object o{UINTPTR_MAX, 0, info->dlpi_name};
        bool holds = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& p = info->dlpi_phdr[i];
          if (p.p_type != PT_LOAD) continue;
          const uintptr_t begin = info->dlpi_addr + p.p_vaddr, end = begin + p.p_memsz;
          holds |= s.address >= begin && s.address < end;
          o.begin = begin < o.begin ? begin : o.begin;
          o.end = end > o.end ? end : o.end;
        }
        if (holds) s.found = o;
        return holds ? 1 : 0;
      },
      &search);
  return search.found;
}

bool IsKnown(uintptr_t address) {
  const Object* o = last.load(std::memory_order_acquire);
  return o != nullptr && o->Holds(address);
}

SY_COLD void Keep(uintptr_t address) {
  const Object o = Find(address);
  if (o.begin == 0) return;
  const bool stays = *o.name == '\0' || o.Holds(reinterpret_cast<uintptr_t>(&known));
  // The handle is never given back.
  if (!stays) dlopen(o.name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  const size_t i = num_known.fetch_add(1, std::memory_order_relaxed);
  if (i >= known.size()) return;
  known[i] = o;
  last.store(&known[i], std::memory_order_release);
}

}  // namespace

void KeepObjectOf(const void* address) noexcept {
  const auto a = reinterpret_cast<uintptr_t>(address);
  if (!IsKnown(a)) [[unlikely]]
    Keep(a);
}

}  // namespace sy::internal
