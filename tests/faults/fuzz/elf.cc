// Shared objects: what their file says, and the note of a plugin.
#include "plugin/elf.h"

#include "plugin/note.h"
#include "tests/faults/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sy;
  fuzz::Bytes in(data, size);
  const std::string& path = fuzz::AsFile(in.Text());
  fuzz::MustKeepTheRules([&] { (void)plugin::ReadNote(plugin::ElfFile(path)); });
  fuzz::MustKeepTheRules([&] {
    const plugin::ElfFile file(path);
    for (const Elf64_Phdr& s : file.segments()) {
      if (s.p_type == PT_NOTE) (void)file.Contents(s);
    }
    (void)file.Needed();
  });
  fuzz::MustKeepTheRules([&] { (void)plugin::ElfFile(path).Exported(); });
  fuzz::MustKeepTheRules([&] { (void)plugin::ElfFile(path).CxxRuntime(); });
  return 0;
}
