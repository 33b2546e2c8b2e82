// Files that inputs become: one on the disk, and those in memory, for which is answered here, where
// a process asks the system (--wrap): no run makes a file or maps a page, and what reads behind the
// file's end reads behind the end of a block, which the sanitizer sees.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "tests/faults/fuzz/fuzz.h"

namespace sy::fuzz {
namespace {

// A file of this process alone, in memory where there is such a folder, that goes when it ends.
class OneFile {
 public:
  OneFile() : path_(access("/dev/shm", W_OK) == 0 ? "/dev/shm/input.XXXXXX" : "/tmp/input.XXXXXX") {
    fd_ = mkstemp(path_.data());
    if (fd_ < 0) Break("no file can be made");
  }
  ~OneFile() { unlink(path_.c_str()); }
  OneFile(const OneFile&) = delete;
  const std::string& Hold(std::string_view bytes) const {
    if (ftruncate(fd_, 0) != 0 ||
        pwrite(fd_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      Break("the file cannot be written");
    return path_;
  }

 private:
  std::string path_;
  int fd_;
};

// Far above the descriptors that the system gives.
constexpr int kHeld = 1 << 30, kWriting = kHeld + 1, kWritten = kHeld + 2;
constexpr size_t kAlignment = 64;  // as zip's entries have it; a page would take one
std::string_view held;
std::string writing, written;  // until it has its name, and then
bool is_written = false;
std::array<void*, 8> mapped = {};  // those that live

const std::string& HeldPath() {
  static const std::string path = "/held in memory";
  return path;
}

bool IsOurs(int fd) { return fd >= kHeld && fd <= kWritten; }
std::string_view BytesOf(int fd) { return fd == kHeld ? held : fd == kWriting ? writing : written; }
// What is written lies beside its name first.
bool IsWritten(const char* path) { return std::string_view(path).starts_with(Written()); }

int Fail(int why) {
  errno = why;
  return -1;
}

// The descriptor, -1 with the reason, or -2: no file of ours.
int Open(const char* path, int flags) {
  if (path == HeldPath()) return kHeld;
  if (!IsWritten(path)) return -2;
  if ((flags & O_CREAT) == 0) return is_written ? kWritten : Fail(ENOENT);
  writing.clear();
  return kWriting;
}

ssize_t Write(const void* bytes, size_t size, size_t at) {
  try {
    writing.replace(at, size, static_cast<const char*>(bytes), size);
    return static_cast<ssize_t>(size);
  } catch (const std::bad_alloc&) {
    return Fail(ENOSPC);
  }
}

void* Map(std::string_view file, size_t size) {
  void* p = nullptr;
  auto* const slot = std::find(mapped.begin(), mapped.end(), nullptr);
  if (slot == mapped.end()) Break("more mappings than a reading makes");
  if (size > file.size()) Break("more is mapped than the file has");
  if (posix_memalign(&p, kAlignment, size) != 0) return MAP_FAILED;
  std::memcpy(p, file.data(), size);
  return *slot = p;
}

}  // namespace

const std::string& AsFile(std::string_view bytes) {
  static const OneFile file;
  return file.Hold(bytes);
}

const std::string& InMemory(std::string_view bytes) {
  held = bytes;
  return HeldPath();
}

const std::string& Written() {
  static const std::string path = "/written in memory";
  return path;
}

}  // namespace sy::fuzz

extern "C" {

int __real_open(const char* path, int flags, ...);
int __real_close(int fd);
int __real_fstat(int fd, struct stat* status);
int __real_stat(const char* path, struct stat* status);
char* __real_realpath(const char* path, char* to);
int __real_rename(const char* from, const char* to);
int __real_unlink(const char* path);
ssize_t __real_pread(int fd, void* to, size_t bytes, off_t at);
ssize_t __real_write(int fd, const void* from, size_t bytes);
ssize_t __real_pwrite(int fd, const void* from, size_t bytes, off_t at);
void* __real_mmap(void* where, size_t size, int protection, int flags, int fd, off_t at);
int __real_munmap(void* p, size_t size);

int __wrap_open(const char* path, int flags, ...) {
  if (const int fd = sy::fuzz::Open(path, flags); fd != -2) return fd;
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return __real_open(path, flags, mode);
}
int __wrap_close(int fd) { return sy::fuzz::IsOurs(fd) ? 0 : __real_close(fd); }
int __wrap_fstat(int fd, struct stat* status) {
  if (!sy::fuzz::IsOurs(fd)) return __real_fstat(fd, status);
  *status = {};
  status->st_mode = S_IFREG | S_IRUSR;
  status->st_size = static_cast<off_t>(sy::fuzz::BytesOf(fd).size());
  return 0;
}
// A writer finds nothing there, and nothing to keep.
int __wrap_stat(const char* path, struct stat* status) {
  return sy::fuzz::IsWritten(path) ? sy::fuzz::Fail(ENOENT) : __real_stat(path, status);
}
char* __wrap_realpath(const char* path, char* to) {
  if (!sy::fuzz::IsWritten(path)) return __real_realpath(path, to);
  sy::fuzz::Fail(ENOENT);
  return nullptr;
}
int __wrap_rename(const char* from, const char* to) {
  if (!sy::fuzz::IsWritten(from)) return __real_rename(from, to);
  sy::fuzz::written.swap(sy::fuzz::writing);
  sy::fuzz::is_written = true;
  return 0;
}
int __wrap_unlink(const char* path) { return sy::fuzz::IsWritten(path) ? 0 : __real_unlink(path); }
ssize_t __wrap_pread(int fd, void* to, size_t bytes, off_t at) {
  if (!sy::fuzz::IsOurs(fd)) return __real_pread(fd, to, bytes, at);
  const std::string_view file = sy::fuzz::BytesOf(fd);
  const std::string_view rest = file.substr(std::min(file.size(), static_cast<size_t>(at)));
  const size_t n = std::min(rest.size(), bytes);
  std::memcpy(to, rest.data(), n);
  return static_cast<ssize_t>(n);
}
ssize_t __wrap_write(int fd, const void* from, size_t bytes) {
  if (fd != sy::fuzz::kWriting) return __real_write(fd, from, bytes);
  return sy::fuzz::Write(from, bytes, sy::fuzz::writing.size());
}
ssize_t __wrap_pwrite(int fd, const void* from, size_t bytes, off_t at) {
  if (fd != sy::fuzz::kWriting) return __real_pwrite(fd, from, bytes, at);
  return sy::fuzz::Write(from, bytes, static_cast<size_t>(at));
}
void* __wrap_mmap(void* where, size_t size, int protection, int flags, int fd, off_t at) {
  if (!sy::fuzz::IsOurs(fd)) return __real_mmap(where, size, protection, flags, fd, at);
  return sy::fuzz::Map(sy::fuzz::BytesOf(fd), size);
}
int __wrap_munmap(void* p, size_t size) {
  auto* const own = std::find(sy::fuzz::mapped.begin(), sy::fuzz::mapped.end(), p);
  if (p == nullptr || own == sy::fuzz::mapped.end()) return __real_munmap(p, size);
  *own = nullptr;
  std::free(p);
  return 0;
}

}  // extern "C"
