#include "switchyard/core/private_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "switchyard/core/error.h"

namespace sy {
namespace {

// The relocations that take a symbol's address.
#if defined(__x86_64__)
constexpr uint32_t kJumpSlot = R_X86_64_JUMP_SLOT, kGlobalData = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr uint32_t kJumpSlot = R_AARCH64_JUMP_SLOT, kGlobalData = R_AARCH64_GLOB_DAT;
#endif

[[noreturn]] void FailMemory(const char* soname) {
  Fail(ErrorCode::kOutOfMemory, {"cpu: out of memory: cannot open ", soname});
}

// The start-up code of libraries (libgfortran, libgomp, oneDNN) ends the process where it gets no
// memory. They are not opened unless there is more than they have been seen to take.
void RequireMemory(const char* soname) {
  constexpr size_t kMapped = size_t{96} << 20, kSmall = size_t{1} << 20;
  void* const small = std::malloc(kSmall);
  void* const mapped =
      mmap(nullptr, kMapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool enough = small != nullptr && mapped != MAP_FAILED;
  if (mapped != MAP_FAILED) munmap(mapped, kMapped);
  std::free(small);
  if (!enough) FailMemory(soname);
}

// dlopen, which may have failed for want of memory at one of its allocations: where it is enough,
// it is asked again, and what it says then is true of the file.
void* Open(const char* name, int mode, const char* soname) {
  if (void* library = dlopen(name, mode)) return library;
  RequireMemory(soname);
  return dlopen(name, mode);
}

class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  int fd() const { return fd_; }
  bool ok() const { return fd_ >= 0; }
  // Whole, or false.
  bool Read(void* to, size_t bytes, uint64_t offset) const {
    return Whole(pread, static_cast<char*>(to), bytes, offset);
  }
  bool Write(const void* from, size_t bytes, uint64_t offset) const {
    return Whole(pwrite, static_cast<const char*>(from), bytes, offset);
  }

 private:
  // move: pread or pwrite.
  template <class Move, class Byte>
  bool Whole(Move move, Byte* bytes, size_t n, uint64_t offset) const {
    while (n > 0) {
      const ssize_t moved = move(fd_, bytes, n, static_cast<off_t>(offset));
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) return false;
      bytes += moved;
      n -= static_cast<size_t>(moved);
      offset += static_cast<uint64_t>(moved);
    }
    return true;
  }

  const int fd_;
};

int OpenForReading(const char* path) {
  int fd;
  do {
    fd = open(path, O_RDONLY | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

std::string PathOf(void* library) {
  link_map* map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
}

// The library that this code is in; null: the program.
const char* OwnName() {
  Dl_info here;
  link_map* map = nullptr;
  const bool found = dladdr1(reinterpret_cast<void*>(&PathOf), &here,
                             reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0;
  return found && map->l_name[0] != '\0' ? map->l_name : nullptr;
}

// The folders in which the loader looks first for what we open.
std::vector<std::string> Folders(const char* soname) {
  void* const ourselves = Open(OwnName(), RTLD_LAZY | RTLD_NOLOAD, soname);
  Dl_serinfo size = {};
  if (ourselves == nullptr || dlinfo(ourselves, RTLD_DI_SERINFOSIZE, &size) != 0) return {};
  std::vector<char> memory(size.dls_size);
  auto* const list = reinterpret_cast<Dl_serinfo*>(memory.data());
  list->dls_size = size.dls_size;
  list->dls_cnt = size.dls_cnt;
  if (dlinfo(ourselves, RTLD_DI_SERINFO, list) != 0) return {};
  std::vector<std::string> folders;
  for (unsigned i = 0; i < list->dls_cnt; ++i) folders.push_back(list->dls_serpath[i].dls_name);
  return folders;
}

// The library's file, "" where there is none. It is opened for that only where nothing else says.
std::string FindFile(const char* soname) {
  if (void* loaded = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD)) {
    std::string path = PathOf(loaded);
    dlclose(loaded);
    return path;
  }
  for (const std::string& folder : Folders(soname)) {
    std::string path = folder + "/" + soname;
    if (path.starts_with('/') && access(path.c_str(), R_OK) == 0) return path;
  }
  void* const opened = Open(soname, RTLD_LAZY | RTLD_LOCAL, soname);
  if (opened == nullptr) return "";
  std::string path = PathOf(opened);
  dlclose(opened);
  return path;
}

// A library's segments, and what is changed in its dynamic section before it is loaded.
struct Layout {
  std::vector<Elf64_Phdr> segments;
  uint64_t segments_at = 0;
  size_t constructors = 0;

  bool Read(const File& file) {
    Elf64_Ehdr head;
    if (!file.Read(&head, sizeof head, 0) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_type != ET_DYN ||
        head.e_phentsize != sizeof(Elf64_Phdr))
      return false;
    segments_at = head.e_phoff;
    segments.resize(head.e_phnum);
    return file.Read(segments.data(), segments.size() * sizeof(Elf64_Phdr), segments_at);
  }
  // What is neither changed nor read while the library is loaded: its code and constants.
  static bool StaysInFile(const Elf64_Phdr& s) {
    return s.p_type == PT_LOAD && (s.p_flags & PF_W) == 0 && s.p_offset != 0;
  }
};

// Nothing runs when the library is loaded or when the process ends, it is bound to itself before
// others, and it has no name by which a program could get it instead of its own.
void Change(std::vector<Elf64_Dyn>& entries, Layout& layout) {
  for (Elf64_Dyn& d : entries) {
    switch (d.d_tag) {
      case DT_SONAME:
        d.d_tag = DT_SYMBOLIC;
        break;
      case DT_INIT:
      case DT_FINI:
        d.d_tag = DT_DEBUG;  // which means nothing in a library
        break;
      case DT_INIT_ARRAYSZ:
        layout.constructors = std::exchange(d.d_un.d_val, 0) / sizeof(void*);
        break;
      case DT_FINI_ARRAYSZ:
        d.d_un.d_val = 0;
        break;
      default:
        break;
    }
  }
}

// The copy, but for what stays in the file.
bool WriteCopy(const File& file, const File& copy, Layout& layout) {
  std::vector<char> bytes;
  uint64_t end = 0;
  for (const Elf64_Phdr& s : layout.segments) {
    if (s.p_type != PT_LOAD) continue;
    end = std::max(end, s.p_offset + s.p_filesz);
    if (Layout::StaysInFile(s)) continue;
    bytes.resize(s.p_filesz);
    if (!file.Read(bytes.data(), bytes.size(), s.p_offset) ||
        !copy.Write(bytes.data(), bytes.size(), s.p_offset))
      return false;
  }
  if (ftruncate(copy.fd(), static_cast<off_t>(end)) != 0) return false;
  std::vector<Elf64_Phdr> changed = layout.segments;
  for (Elf64_Phdr& s : changed) {
    if (s.p_type == PT_GNU_RELRO) s.p_type = PT_NULL;  // imports are replaced after it is loaded
    if (s.p_type != PT_DYNAMIC) continue;
    std::vector<Elf64_Dyn> entries(s.p_filesz / sizeof(Elf64_Dyn));
    const size_t size = entries.size() * sizeof(Elf64_Dyn);
    if (!file.Read(entries.data(), size, s.p_offset)) return false;
    Change(entries, layout);
    if (!copy.Write(entries.data(), size, s.p_offset)) return false;
  }
  return copy.Write(changed.data(), changed.size() * sizeof(Elf64_Phdr), layout.segments_at);
}

// Code and constants, in place of the holes that the copy has there.
bool MapFromFile(const File& file, const Layout& layout, uintptr_t base) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  for (const Elf64_Phdr& s : layout.segments) {
    if (!Layout::StaysInFile(s)) continue;
    const uintptr_t begin = (base + s.p_vaddr) & -page, end = base + s.p_vaddr + s.p_filesz;
    const int access = PROT_READ | ((s.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    const void* at =
        mmap(reinterpret_cast<void*>(begin), end - begin, access, MAP_PRIVATE | MAP_FIXED,
             file.fd(), static_cast<off_t>(s.p_offset & -page));
    if (at == MAP_FAILED) return false;
  }
  return true;
}

// The tables of a loaded library that imports are found in.
struct Tables {
  explicit Tables(const link_map& map) : base(map.l_addr) {
    for (const Elf64_Dyn* d = map.l_ld; d->d_tag != DT_NULL; ++d) {
      const auto address = d->d_un.d_ptr;  // absolute, as glibc leaves it
      if (d->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const Elf64_Sym*>(address);
      if (d->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(address);
      if (d->d_tag == DT_RELA) data = {reinterpret_cast<const Elf64_Rela*>(address), data.size()};
      if (d->d_tag == DT_RELASZ) data = {data.data(), d->d_un.d_val / sizeof(Elf64_Rela)};
      if (d->d_tag == DT_JMPREL)
        calls = {reinterpret_cast<const Elf64_Rela*>(address), calls.size()};
      if (d->d_tag == DT_PLTRELSZ) calls = {calls.data(), d->d_un.d_val / sizeof(Elf64_Rela)};
      if (d->d_tag == DT_INIT_ARRAY)
        constructors = reinterpret_cast<void (**)(int, char**, char**)>(base + address);
    }
  }
  void Replace(std::span<const Import> imports) const {
    for (const auto& table : {data, calls}) {
      for (const Elf64_Rela& r : table) {
        const auto type = ELF64_R_TYPE(r.r_info);
        if (type != kJumpSlot && type != kGlobalData) continue;
        const char* const name = names + symbols[ELF64_R_SYM(r.r_info)].st_name;
        for (const Import& i : imports) {
          if (std::strcmp(name, i.name) == 0)
            *reinterpret_cast<void**>(base + r.r_offset) = i.instead;
        }
      }
    }
  }

  uintptr_t base;
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  std::span<const Elf64_Rela> data, calls;
  void (**constructors)(int, char**, char**) = nullptr;
};

int NewMemoryFile(const char* name) {
  constexpr unsigned kExecutable = 0x10;  // MFD_EXEC: newer systems want it said, older refuse it
  const int fd = memfd_create(name, MFD_CLOEXEC | kExecutable);
  return fd >= 0 || errno != EINVAL ? fd : memfd_create(name, MFD_CLOEXEC);
}

void* OpenCopy(const char* soname, const std::string& path, std::span<const Import> imports) {
  const File file(OpenForReading(path.c_str())), copy(NewMemoryFile(soname));
  Layout layout;
  if (!file.ok() || !copy.ok() || !layout.Read(file) || !WriteCopy(file, copy, layout))
    return nullptr;
  // A name that was never used: the loader takes equal names for one library, whatever file is
  // behind the descriptor's number by now.
  static std::atomic<size_t> slashes{1};
  const std::string name =
      "/proc/self/fd" + std::string(++slashes, '/') + std::to_string(copy.fd());
  void* const library = Open(name.c_str(), RTLD_NOW | RTLD_LOCAL, soname);
  link_map* map = nullptr;
  if (library == nullptr || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return nullptr;
  try {
    if (!MapFromFile(file, layout, map->l_addr)) FailMemory(soname);
    const Tables tables(*map);
    tables.Replace(imports);
    char* none[] = {nullptr};
    for (size_t i = 0; i < layout.constructors; ++i) tables.constructors[i](0, none, environ);
  } catch (...) {
    dlclose(library);
    throw;
  }
  return library;
}

}  // namespace

OpenedLibrary OpenPrivately(const char* soname, std::span<const Import> imports) {
  RequireMemory(soname);
  try {
    const std::string path = FindFile(soname);
    if (path.empty()) return {};
    if (void* library = OpenCopy(soname, path, imports)) return {library, true};
    return {OpenShared(soname), false};
  } catch (const std::bad_alloc&) {
    FailMemory(soname);
  }
}

void* OpenShared(const char* soname) {
  RequireMemory(soname);
  return Open(soname, RTLD_NOW | RTLD_LOCAL, soname);
}

std::string OwnFolder() {
  const char* const name = OwnName();
  std::error_code failed;
  const std::filesystem::path file =
      name != nullptr ? name : std::filesystem::read_symlink("/proc/self/exe", failed);
  return file.is_absolute() ? file.parent_path().string() : "";
}

void OpenBeside(std::initializer_list<const char*> sonames) {
  const std::string folder = OwnFolder();
  if (folder.empty()) return;
  for (const char* soname : sonames) {
    const std::string path = folder + "/" + soname;
    if (access(path.c_str(), R_OK) == 0) OpenShared(path.c_str());
  }
}

}  // namespace sy
