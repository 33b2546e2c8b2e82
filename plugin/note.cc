#include "plugin/note.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "switchyard/core/error.h"

namespace sy::plugin {
namespace {

class File {
 public:
  explicit File(const std::string& path)
      : path_(path), fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0)
      Fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
           {"plugin '", path, "': ", std::strerror(errno)});
  }
  ~File() { close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[noreturn]] void Refuse(std::string_view why) const {
    Fail(ErrorCode::kRegistration, {"plugin '", path_, "': ", why});
  }
  struct stat Status() const {
    struct stat s;
    if (fstat(fd_, &s) != 0) Refuse(std::strerror(errno));
    return s;
  }
  void Read(void* out, size_t bytes, uint64_t offset) const {
    if (pread(fd_, out, bytes, static_cast<off_t>(offset)) != static_cast<ssize_t>(bytes))
      Refuse("the object is cut off");
  }

 private:
  const std::string& path_;
  int fd_;
};

// The program headers of a shared object for this machine. Errors: see the header.
std::vector<Elf64_Phdr> Segments(const File& file, uint64_t file_bytes) {
  Elf64_Ehdr head;
  if (file_bytes < sizeof(head)) file.Refuse("not a shared object");
  file.Read(&head, sizeof(head), 0);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) file.Refuse("not a shared object");
  if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != EM_X86_64 || head.e_type != ET_DYN)
    file.Refuse("not a shared object for x86-64");
  if (head.e_phentsize != sizeof(Elf64_Phdr)) file.Refuse("not a shared object");
  std::vector<Elf64_Phdr> segments(head.e_phnum);
  file.Read(segments.data(), segments.size() * sizeof(Elf64_Phdr), head.e_phoff);
  for (const Elf64_Phdr& s : segments) {
    if (s.p_type != PT_LOAD && s.p_type != PT_NOTE) continue;
    if (s.p_filesz > file_bytes || s.p_offset > file_bytes - s.p_filesz)
      file.Refuse("the object is cut off");
  }
  return segments;
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
  return s.empty() ? "no" : s;
}

}  // namespace

SyNote ReadNote(const std::string& path) {
  const File file(path);
  const struct stat status = file.Status();
  if (!S_ISREG(status.st_mode)) file.Refuse("not a file");
  if ((status.st_mode & S_IWOTH) != 0)
    file.Refuse("anybody may write this file; take that right away (chmod o-w) to load it");
  std::optional<SyNote> note;
  for (const Elf64_Phdr& s : Segments(file, static_cast<uint64_t>(status.st_size))) {
    if (s.p_type != PT_NOTE || note) continue;
    std::vector<char> bytes(s.p_filesz);
    file.Read(bytes.data(), bytes.size(), s.p_offset);
    note = FindNote(bytes);
  }
  if (!note) file.Refuse("a shared object, but no plugin: it has no SY_PLUGIN_NOTE");
  if (note->major != SY_ABI_MAJOR) {
    file.Refuse(Join({"made for version ", note->major, " of the plugin ABI, this program serves ",
                      SY_ABI_MAJOR}));
  }
  if (note->sanitizers != SY_SANITIZERS) {
    Fail(ErrorCode::kUnavailable,
         {"plugin '", path, "': built with ", SanitizerNames(note->sanitizers),
          " sanitizer, this program with ", SanitizerNames(SY_SANITIZERS)});
  }
  return *note;
}

}  // namespace sy::plugin
