#include "testing/conform/slots.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "switchyard/c/plugin.h"
#include "switchyard/core/error.h"

namespace sy::conform {

void Slot::Set(void* function) const {
  // Tables are constant, and imports are once they are bound.
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = reinterpret_cast<uintptr_t>(at) & ~(page - 1);
  if (mprotect(reinterpret_cast<void*>(begin), page, PROT_READ | PROT_WRITE) != 0)
    Fail(ErrorCode::kUnavailable, {"memory cannot be made writable: ", std::strerror(errno)});
  *at = function;
}

namespace {

// Relocations that write a symbol's address, alone.
#if defined(__x86_64__)
constexpr uint32_t kAddresses[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64};
#elif defined(__aarch64__)
constexpr uint32_t kAddresses[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_ABS64};
#endif

bool WritesAddress(const Elf64_Rela& r) {
  for (const uint32_t type : kAddresses) {
    if (ELF64_R_TYPE(r.r_info) == type) return r.r_addend == 0;
  }
  return false;
}

struct Dynamic {  // the part of an object that the dynamic linker reads
  uintptr_t base = 0;
  const char* strings = nullptr;
  const Elf64_Sym* symbols = nullptr;
  const Elf64_Rela* tables[2] = {};
  size_t counts[2] = {};
};

Dynamic ReadDynamic(void* object) {
  link_map* map = nullptr;
  if (dlinfo(object, RTLD_DI_LINKMAP, &map) != 0)
    Fail(ErrorCode::kUnavailable, {"the object is not described: ", dlerror()});
  Dynamic d;
  d.base = map->l_addr;
  for (const Elf64_Dyn* e = map->l_ld; e->d_tag != DT_NULL; ++e) {
    // The dynamic linker has added where the object lies, or leaves that to us.
    const uintptr_t address = e->d_un.d_ptr < d.base ? d.base + e->d_un.d_ptr : e->d_un.d_ptr;
    switch (e->d_tag) {
      case DT_STRTAB:
        d.strings = reinterpret_cast<const char*>(address);
        break;
      case DT_SYMTAB:
        d.symbols = reinterpret_cast<const Elf64_Sym*>(address);
        break;
      case DT_RELA:
        d.tables[0] = reinterpret_cast<const Elf64_Rela*>(address);
        break;
      case DT_RELASZ:
        d.counts[0] = e->d_un.d_val / sizeof(Elf64_Rela);
        break;
      case DT_JMPREL:
        d.tables[1] = reinterpret_cast<const Elf64_Rela*>(address);
        break;
      case DT_PLTRELSZ:
        d.counts[1] = e->d_un.d_val / sizeof(Elf64_Rela);
        break;
      default:
        break;
    }
  }
  return d;
}

// Those of SyDeviceFunctions that answer with a code and are not asked whether something is done.
struct Member {
  const char* name;
  size_t offset;
};
#define SY_MEMBER(name) \
  Member { #name, offsetof(SyDeviceFunctions, name) }
constexpr Member kMembers[] = {SY_MEMBER(count),         SY_MEMBER(open),
                               SY_MEMBER(properties),    SY_MEMBER(allocate),
                               SY_MEMBER(trim),          SY_MEMBER(memory_stats),
                               SY_MEMBER(copy),          SY_MEMBER(synchronize),
                               SY_MEMBER(stream_create), SY_MEMBER(stream_synchronize),
                               SY_MEMBER(event_create),  SY_MEMBER(event_record),
                               SY_MEMBER(event_wait),    SY_MEMBER(event_synchronize),
                               SY_MEMBER(event_elapsed), SY_MEMBER(host_allocate),
                               SY_MEMBER(share),         SY_MEMBER(adopt),
                               SY_MEMBER(attribute),     SY_MEMBER(set_option),
                               SY_MEMBER(warm_up),       SY_MEMBER(timing_start),
                               SY_MEMBER(timing_stop),   SY_MEMBER(copy_between)};
#undef SY_MEMBER

}  // namespace

std::vector<Slot> ImportsOf(void* object) {
  const Dynamic d = ReadDynamic(object);
  std::vector<Slot> slots;
  for (size_t t = 0; t < std::size(d.tables); ++t) {
    for (size_t i = 0; i < d.counts[t]; ++i) {
      const Elf64_Rela& r = d.tables[t][i];
      const Elf64_Sym& symbol = d.symbols[ELF64_R_SYM(r.r_info)];
      const bool function =
          ELF64_ST_TYPE(symbol.st_info) == STT_FUNC || ELF64_ST_TYPE(symbol.st_info) == STT_NOTYPE;
      if (!WritesAddress(r) || !function || symbol.st_name == 0) continue;
      const auto at = reinterpret_cast<void**>(d.base + r.r_offset);
      // Weak ones may be nowhere.
      if (symbol.st_shndx == SHN_UNDEF && *at != nullptr)
        slots.push_back({d.strings + symbol.st_name, at});
    }
  }
  return slots;
}

std::vector<Slot> DeviceFunctionsOf(void* object, const std::string& device) {
  const auto entry = reinterpret_cast<SyPluginEntry>(dlsym(object, SY_PLUGIN_ENTRY_NAME));
  SyError error{sizeof(SyError), 0, nullptr};
  const SyPlugin* plugin = entry == nullptr ? nullptr : entry(SY_ABI_MINOR, &error);
  if (plugin == nullptr) Fail(ErrorCode::kUnavailable, "the plugin gives no table");
  std::vector<Slot> slots;
  for (uint32_t i = 0; i < plugin->n_devices; ++i) {
    const auto* def = reinterpret_cast<const SyDeviceDef*>(
        reinterpret_cast<const char*>(plugin->devices) + size_t{i} * plugin->device_stride);
    if (def->name == nullptr || device != def->name) continue;
    // Not const: the table may lie in memory that cannot be written, which Set sees to.
    auto* const functions = reinterpret_cast<char*>(const_cast<SyDeviceFunctions*>(def->functions));
    for (const Member& m : kMembers) {
      if (m.offset + sizeof(void*) > def->functions->size) continue;
      const auto at = reinterpret_cast<void**>(functions + m.offset);
      if (*at != nullptr) slots.push_back({m.name, at});
    }
  }
  return slots;
}

}  // namespace sy::conform
