// What a shared object says of itself in its file: none of its code runs.
//
//   const ElfFile file("/opt/toy/libtoy.so");
//   file.Needed();      // {"libstdc++.so.6", "libc.so.6"}
//   file.Exported();    // {"sy_plugin_v1"}
//
// Owns: an open file (plugin/trusted_file.h).
// Threads: any, one at a time per object.
// Errors: as TrustedFile's, and kRegistration when it is no shared object for this machine or is
// cut off.
#ifndef PLUGIN_ELF_H_
#define PLUGIN_ELF_H_

#include <elf.h>

#include <string>
#include <string_view>
#include <vector>

#include "plugin/trusted_file.h"

namespace sy::plugin {

class ElfFile {
 public:
  explicit ElfFile(const std::string& path);

  const TrustedFile& file() const { return file_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  std::vector<char> Contents(const Elf64_Phdr& segment) const;
  // Names of the libraries that are opened with it, as it has them.
  std::vector<std::string> Needed() const;
  // Names of the symbols that others may use, sorted.
  std::vector<std::string> Exported() const;
  // The C++ runtime that it was built for: the library it needs ("libstdc++.so.6"), "linked in"
  // where it has one of its own, "none" where it is not C++, as far as its symbols tell.
  std::string CxxRuntime() const;
  // kRegistration, naming the file.
  [[noreturn]] void Refuse(std::string_view why) const { file_.Refuse(why); }

 private:
  void Read(void* out, size_t bytes, uint64_t offset) const;
  uint64_t OffsetOf(uint64_t address) const;
  std::string TextAt(uint64_t offset) const;
  // f(name, symbol) for the entries of a table, SHT_DYNSYM or SHT_SYMTAB.
  template <class F>
  void ForEachSymbol(uint32_t table, F f) const;

  uint64_t bytes() const { return static_cast<uint64_t>(file_.status().st_size); }

  const TrustedFile file_;
  Elf64_Ehdr head_ = {};
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace sy::plugin

#endif  // PLUGIN_ELF_H_
