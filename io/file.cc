#include "io/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace sy::io {
namespace {

#ifdef MADV_POPULATE_READ
constexpr int kPopulateRead = MADV_POPULATE_READ;
#else
constexpr int kPopulateRead = 22;  // Linux 5.14
#endif

// Bytes; smaller files find a place fast enough.
constexpr uint64_t kLeastExpected = 1 << 20;

// One call moves no more than this (read(2): 2^31 - 4096 bytes).
constexpr size_t kMostAtOnce = size_t{1} << 30;

std::string Why() {
  std::array<char, 128> text;
  return strerror_r(errno, text.data(), text.size());  // glibc's, which returns the text
}

}  // namespace

Mapping::Mapping(int fd, size_t size, bool prefetch) : size_(size) {
  if (size == 0) return;
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  if (p == MAP_FAILED) Fail(ErrorCode::kUnavailable, {"the file cannot be mapped: ", Why()});
  data_ = static_cast<char*>(p);
  // Not MAP_POPULATE, which would copy every page of a writable mapping: 45 ms where this takes 6.
  if (prefetch && madvise(p, size, kPopulateRead) != 0) madvise(p, size, MADV_WILLNEED);
}

Mapping::~Mapping() {
  if (data_ != nullptr) munmap(data_, size_);
}

File::File(const std::string& path, bool prefetch) {
  fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd_ < 0) Fail(ErrorCode::kNotFound, {"cannot open '", path, "': ", Why()});
  try {
    struct stat status = {};
    if (fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode))
      Fail(ErrorCode::kInvalidArgument, {"'", path, "' is no regular file"});
    map_ = std::make_shared<const Mapping>(fd_, static_cast<size_t>(status.st_size), prefetch);
  } catch (...) {
    close(fd_);
    throw;
  }
}

File::~File() { close(fd_); }

void File::ReadAt(uint64_t offset, void* to, size_t bytes) const {
  char* p = static_cast<char*>(to);
  while (bytes != 0) {
    const ssize_t n = pread(fd_, p, std::min(bytes, kMostAtOnce), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) Fail(ErrorCode::kUnavailable, {"reading failed: ", Why()});
    if (n == 0) {
      Fail(ErrorCode::kInvalidArgument,
           {"the file was cut short while it was read: ", bytes, " bytes are missing"});
    }
    p += n;
    offset += static_cast<uint64_t>(n);
    bytes -= static_cast<size_t>(n);
  }
}

FileWriter::FileWriter(const std::string& path) : path_(path) {
  char* real = realpath(path.c_str(), nullptr);  // null where nothing is there yet
  if (real != nullptr) {
    path_ = real;
    std::free(real);
  }
  struct stat status = {};
  const bool there = stat(path_.c_str(), &status) == 0;
  if (there && !S_ISREG(status.st_mode)) {
    fd_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd_ < 0) FailWriting();
    return;
  }
  // Who may not write the file may not replace it either.
  if (there && access(path_.c_str(), W_OK) != 0) FailWriting();
  static std::atomic<uint64_t> count{0};
  made_ = path_ + ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(++count);
  fd_ = open(made_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
  if (fd_ < 0) {
    made_.clear();
    FailWriting();
  }
  if (there) (void)!fchmod(fd_, status.st_mode & 07777);
}

FileWriter::~FileWriter() {
  if (fd_ >= 0) close(fd_);
  if (!made_.empty()) unlink(made_.c_str());
}

void FileWriter::Expect(uint64_t bytes) {
  // ext4 finds places for what has none when the file is renamed over another, and writes all of it
  // then: 25 ms of 91 MB, where this takes less than 1. Where it cannot be done, on other file
  // systems, writing does it or says why not.
  if (!made_.empty() && bytes >= kLeastExpected &&
      fallocate(fd_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0)
    expected_ = bytes;
}

void FileWriter::Write(const void* bytes, size_t size) {
  const char* p = static_cast<const char*>(bytes);
  while (size != 0) {
    const ssize_t n = write(fd_, p, std::min(size, kMostAtOnce));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) FailWriting();
    p += n;
    size -= static_cast<size_t>(n);
    written_ += static_cast<uint64_t>(n);
  }
}

void FileWriter::Rewrite(uint64_t at, const void* bytes, size_t size) const {
  if (pwrite(fd_, bytes, size, static_cast<off_t>(at)) != static_cast<ssize_t>(size)) FailWriting();
}

void FileWriter::Commit() {
  if (expected_ > written_ && ftruncate(fd_, static_cast<off_t>(written_)) != 0) FailWriting();
  const bool large = written_ >= kLeastExpected;
  // Closing tells of errors, on network file systems; so it comes before the name is given.
  const int again = made_.empty() || !large ? -1 : fcntl(fd_, F_DUPFD_CLOEXEC, 0);
  const auto closed = [again] {
    if (again >= 0) close(again);
  };
  const int fd = std::exchange(fd_, -1);
  if (close(fd) != 0 || (!made_.empty() && rename(made_.c_str(), path_.c_str()) != 0)) {
    const int why = errno;
    closed();
    errno = why;
    FailWriting();
  }
  made_.clear();
  // Nothing is waited for. ext4 writes a file that replaces another at once, but not one whose
  // places were taken beforehand.
  if (again >= 0) (void)!sync_file_range(again, 0, 0, SYNC_FILE_RANGE_WRITE);
  closed();
}

void FileWriter::FailWriting() const {
  Fail(ErrorCode::kUnavailable, {"cannot write '", path_, "': ", Why()});
}

}  // namespace sy::io
