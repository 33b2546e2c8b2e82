#include "plugin/elf.h"

#include <algorithm>
#include <cstring>

#include "switchyard/core/error.h"

namespace sy::plugin {
namespace {

// What this process can load.
#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
constexpr const char* kOtherMachine = "not a shared object for x86-64";
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
constexpr const char* kOtherMachine = "not a shared object for aarch64";
#endif

}  // namespace

ElfFile::ElfFile(const std::string& path) : file_("plugin", path) {
  if (bytes() < sizeof(head_)) Refuse("not a shared object");
  Read(&head_, sizeof(head_), 0);
  if (std::memcmp(head_.e_ident, ELFMAG, SELFMAG) != 0) Refuse("not a shared object");
  if (head_.e_ident[EI_CLASS] != ELFCLASS64 || head_.e_machine != kMachine ||
      head_.e_type != ET_DYN) {
    Refuse(kOtherMachine);
  }
  if (head_.e_phentsize != sizeof(Elf64_Phdr)) Refuse("not a shared object");
  segments_.resize(head_.e_phnum);
  Read(segments_.data(), segments_.size() * sizeof(Elf64_Phdr), head_.e_phoff);
  for (const Elf64_Phdr& s : segments_) {
    if (s.p_type != PT_LOAD && s.p_type != PT_NOTE && s.p_type != PT_DYNAMIC) continue;
    if (s.p_filesz > bytes() || s.p_offset > bytes() - s.p_filesz) Refuse("the object is cut off");
  }
}

void ElfFile::Read(void* out, size_t n, uint64_t offset) const {
  if (!file_.Read(out, n, offset)) Refuse("the object is cut off");
}

std::vector<char> ElfFile::Contents(const Elf64_Phdr& segment) const {
  std::vector<char> contents(segment.p_filesz);
  Read(contents.data(), contents.size(), segment.p_offset);
  return contents;
}

uint64_t ElfFile::OffsetOf(uint64_t address) const {
  for (const Elf64_Phdr& s : segments_) {
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
      return s.p_offset + (address - s.p_vaddr);
  }
  Refuse("the object is cut off");
}

std::string ElfFile::TextAt(uint64_t offset) const {
  constexpr size_t kLongest = 256;  // names of libraries and of C symbols are shorter
  char text[kLongest];
  const size_t n = file_.ReadUpTo(text, sizeof(text), offset);
  if (n == 0) Refuse("the object is cut off");
  return {text, strnlen(text, n)};
}

std::vector<std::string> ElfFile::Needed() const {
  std::vector<uint64_t> names;
  uint64_t strings = 0;
  for (const Elf64_Phdr& s : segments_) {
    if (s.p_type != PT_DYNAMIC) continue;
    const std::vector<char> entries = Contents(s);
    for (size_t at = 0; at + sizeof(Elf64_Dyn) <= entries.size(); at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn d;
      std::memcpy(&d, entries.data() + at, sizeof(d));
      if (d.d_tag == DT_NEEDED) names.push_back(d.d_un.d_val);
      if (d.d_tag == DT_STRTAB) strings = OffsetOf(d.d_un.d_ptr);
    }
  }
  std::vector<std::string> all;
  all.reserve(names.size());
  for (const uint64_t name : names) all.push_back(TextAt(strings + name));
  return all;
}

template <class F>
void ElfFile::ForEachSymbol(uint32_t table, F f) const {
  std::vector<Elf64_Shdr> sections(head_.e_shentsize == sizeof(Elf64_Shdr) ? head_.e_shnum : 0);
  if (!sections.empty()) Read(sections.data(), sections.size() * sizeof(Elf64_Shdr), head_.e_shoff);
  for (const Elf64_Shdr& s : sections) {
    if (s.sh_type != table || s.sh_link >= sections.size()) continue;
    const Elf64_Shdr& names = sections[s.sh_link];
    if (s.sh_size > bytes() || names.sh_size > bytes()) Refuse("the object is cut off");
    std::vector<Elf64_Sym> symbols(s.sh_size / sizeof(Elf64_Sym));
    Read(symbols.data(), symbols.size() * sizeof(Elf64_Sym), s.sh_offset);
    std::string text(names.sh_size, '\0');
    Read(text.data(), text.size(), names.sh_offset);
    for (const Elf64_Sym& symbol : symbols) {
      if (symbol.st_name < text.size()) f(text.c_str() + symbol.st_name, symbol);
    }
  }
}

std::vector<std::string> ElfFile::Exported() const {
  std::vector<std::string> all;
  ForEachSymbol(SHT_DYNSYM, [&](const char* name, const Elf64_Sym& symbol) {
    if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL)
      all.emplace_back(name);
  });
  std::sort(all.begin(), all.end());
  return all;
}

std::string ElfFile::CxxRuntime() const {
  for (const std::string& library : Needed()) {
    if (library.starts_with("libstdc++.") || library.starts_with("libc++.")) return library;
  }
  // What every object of C++ with exceptions names (Itanium C++ ABI, level 2).
  bool personality = false;
  ForEachSymbol(SHT_SYMTAB, [&](std::string_view name, const Elf64_Sym& symbol) {
    personality |= name == "__gxx_personality_v0" && symbol.st_shndx != SHN_UNDEF;
  });
  return personality ? "linked in" : "none";
}

}  // namespace sy::plugin
