#include "plugin/note.h"

#include <dlfcn.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

// There in a program that is built with the sanitizer, whatever this library is built with, and
// where its runtime was preloaded. The linker may have settled that there is none: then dlsym
// answers.
extern "C" {
__attribute__((weak)) void __asan_init();  // NOLINT(bugprone-reserved-identifier): theirs
__attribute__((weak)) void __tsan_init();  // NOLINT(bugprone-reserved-identifier)
__attribute__((weak)) void __msan_init();  // NOLINT(bugprone-reserved-identifier)
}

namespace sy::plugin {
namespace {

uint32_t SanitizersOfProgram() {
  const auto has = [](void (*linked)(), const char* name) {
    return linked != nullptr || dlsym(RTLD_DEFAULT, name) != nullptr;
  };
  return (has(__asan_init, "__asan_init") ? SY_SANITIZER_ADDRESS : 0) |
         (has(__tsan_init, "__tsan_init") ? SY_SANITIZER_THREAD : 0) |
         (has(__msan_init, "__msan_init") ? SY_SANITIZER_MEMORY : 0);
}

std::optional<SyNote> FindNote(const std::vector<char>& notes) {
  constexpr auto aligned = [](uint64_t n) { return (n + 3) & ~uint64_t{3}; };
  for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr head;
    std::memcpy(&head, notes.data() + at, sizeof(head));
    const uint64_t bytes = sizeof(head) + aligned(head.n_namesz) + aligned(head.n_descsz);
    if (bytes > notes.size() - at) break;
    const char* owner = notes.data() + at + sizeof(head);
    if (head.n_namesz == sizeof(SY_NOTE_OWNER) && head.n_type == SY_NOTE_TYPE &&
        std::memcmp(owner, SY_NOTE_OWNER, sizeof(SY_NOTE_OWNER)) == 0 && bytes >= sizeof(SyNote)) {
      SyNote note;
      std::memcpy(&note, notes.data() + at, sizeof(note));
      note.name[sizeof(note.name) - 1] = '\0';
      return note;
    }
    at += bytes;
  }
  return std::nullopt;
}

std::string SanitizerNames(uint32_t set) {
  std::string s;
  const auto add = [&](uint32_t bit, const char* name) {
    if ((set & bit) != 0) s += (s.empty() ? "" : ", ") + std::string(name);
  };
  add(SY_SANITIZER_ADDRESS, "address");
  add(SY_SANITIZER_THREAD, "thread");
  add(SY_SANITIZER_MEMORY, "memory");
  return s.empty() ? "no sanitizer" : Join({"the ", s, " sanitizer"});
}

// The command that brings the runtime; there is none to preload for memory.
std::string Advice(uint32_t of_plugin) {
  const auto preload = [](std::string_view name, std::string_view library) {
    return fmt::format(
        "; start it as LD_PRELOAD=$(gcc -print-file-name={}) {} ..., or build the plugin without "
        "-fsanitize={}",
        library, program_invocation_short_name, name);
  };
  if (of_plugin == SY_SANITIZER_ADDRESS) return preload("address", "libasan.so");
  if (of_plugin == SY_SANITIZER_THREAD) return preload("thread", "libtsan.so");
  return "; build both alike";
}

}  // namespace

SyNote ReadNote(const ElfFile& file) {
  std::optional<SyNote> note;
  for (const Elf64_Phdr& s : file.segments()) {
    if (s.p_type == PT_NOTE && !note) note = FindNote(file.Contents(s));
  }
  if (!note) file.Refuse("a shared object, but no plugin: it has no SY_PLUGIN_NOTE");
  if (note->major != SY_ABI_MAJOR) {
    file.Refuse(fmt::format("made for version {} of the plugin ABI, this program serves {}",
                            note->major, SY_ABI_MAJOR));
  }
  if (note->sanitizers != SY_SANITIZERS && note->sanitizers != SanitizersOfProgram()) {
    Fail(ErrorCode::kUnavailable,
         {"plugin '", file.file().path(), "': built with ", SanitizerNames(note->sanitizers),
          ", this program runs with ", SanitizerNames(SanitizersOfProgram()),
          Advice(note->sanitizers)});
  }
  return *note;
}

}  // namespace sy::plugin
