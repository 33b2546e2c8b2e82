#include "plugin/trusted_file.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::plugin {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

// From the root to a file. Each step is opened without following links, so that what is checked is
// what the next step starts from.
class Walk {
 public:
  Walk(std::string_view what, const std::string& path)
      : what_(what), path_(path), rest_(path), folder_(Root()) {
    struct stat root;
    Status(folder_.get(), &root);
    owner_of_root_ = root.st_uid;
    CheckFolder(folder_.get(), root);
  }

  // A descriptor to read from, of a file that only those who are trusted may change.
  int ToFile(struct stat* status) {
    while (true) {
      const std::string name = NextName();
      Descriptor at(openat(folder_.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
      if (at.get() < 0) FailSystem();
      Status(at.get(), status);
      if (S_ISLNK(status->st_mode)) {
        Follow(at.get(), *status);
      } else if (!rest_.empty()) {
        Enter(std::move(at), *status);
      } else {
        return OpenFile(name, status);
      }
    }
  }

 private:
  Descriptor Root() const {
    const int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) FailSystem();
    return Descriptor(fd);
  }
  // Takes the next name off `rest_`, and the slashes after it.
  std::string NextName() {
    rest_.erase(0, rest_.find_first_not_of('/'));
    const size_t end = std::min(rest_.find('/'), rest_.size());
    std::string name = rest_.substr(0, end);
    const size_t next = rest_.find_first_not_of('/', end);
    rest_.erase(0, next);
    return name.empty() ? "." : name;
  }
  void Enter(Descriptor next, const struct stat& status) {
    if (!S_ISDIR(status.st_mode)) {
      errno = ENOTDIR;
      FailSystem();
    }
    CheckFolder(next.get(), status);
    folder_ = std::move(next);
  }
  void Follow(int link, const struct stat& status) {
    constexpr int kMostLinks = 40;  // as Linux has it (path_resolution(7))
    if (!Trusts(status.st_uid)) RefuseOwner("a symbolic link on the way to it", status.st_uid);
    char target[PATH_MAX];
    const ssize_t n = readlinkat(link, "", target, sizeof target);
    if (n < 0) FailSystem();
    if (++links_ > kMostLinks) {
      errno = ELOOP;
      FailSystem();
    }
    const std::string_view to(target, static_cast<size_t>(n));
    if (to.starts_with('/')) folder_ = Root();
    rest_ = rest_.empty() ? std::string(to) : fmt::format("{}/{}", to, rest_);
  }
  int OpenFile(const std::string& name, struct stat* status) const {
    if (!S_ISREG(status->st_mode)) Refuse("not a file");  // unopened: a pipe would wait, or tell
    Descriptor file(openat(folder_.get(), name.c_str(),
                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (file.get() < 0) FailSystem();
    Status(file.get(), status);
    if (!S_ISREG(status->st_mode)) Refuse("not a file");
    if (!Trusts(status->st_uid)) RefuseOwner("it", status->st_uid);
    if ((status->st_mode & S_IWOTH) != 0)
      Refuse("anybody may write this file; take that right away (chmod o-w) to use it");
    if ((status->st_mode & S_IWGRP) != 0)
      Refuse("its group may write this file; take that right away (chmod g-w) to use it");
    return file.release();
  }

  void CheckFolder(int folder, const struct stat& status) const {
    if (!Trusts(status.st_uid))
      RefuseOwner(fmt::format("the folder '{}'", NameOf(folder)), status.st_uid);
    const bool others_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (others_write && (status.st_mode & S_ISVTX) == 0) {
      Refuse(
          fmt::format("others may write the folder '{}', and so put another file there; take that "
                      "right away (chmod go-w) to use it",
                      NameOf(folder)));
    }
  }
  // For messages.
  static std::string NameOf(int fd) {
    char name[PATH_MAX];
    const ssize_t n = readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), name, sizeof name);
    return n < 0 ? "that it lies in" : std::string(name, static_cast<size_t>(n));
  }
  // Not where the process has rights that its user has not.
  static bool TrustsItsUser() { return getauxval(AT_SECURE) == 0 || geteuid() != getuid(); }
  bool Trusts(uid_t owner) const {
    if (owner == 0 || owner == owner_of_root_) return true;
    return owner == geteuid() && TrustsItsUser();
  }

  void Status(int fd, struct stat* out) const {
    if (fstat(fd, out) != 0) FailSystem();
  }
  [[noreturn]] void Refuse(std::string_view why) const {
    Fail(ErrorCode::kRegistration, {what_, " '", path_, "': ", why});
  }
  [[noreturn]] void RefuseOwner(std::string_view of, uid_t owner) const {
    if (!TrustsItsUser()) {
      Refuse(fmt::format(
          "{} belongs to user {}, expected root: this process has rights that its user has not", of,
          owner));
    }
    Refuse(fmt::format("{} belongs to user {}, expected root or user {}, whom this process runs as",
                       of, owner, geteuid()));
  }
  [[noreturn]] void FailSystem() const {
    const int error = errno;
    if (error == ENOMEM) throw std::bad_alloc();
    Fail(error == ENOENT || error == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
         {what_, " '", path_, "': ", std::strerror(error)});
  }

  const std::string_view what_;
  const std::string& path_;
  std::string rest_;
  Descriptor folder_;
  uid_t owner_of_root_ = 0;
  int links_ = 0;
};

bool Same(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

TrustedFile::TrustedFile(std::string_view what, const std::string& path)
    : what_(what), path_(path) {
  if (!path.starts_with('/') || path.find('\0') != path.npos) Refuse("not an absolute path");
  fd_ = Walk(what_, path_).ToFile(&status_);
}

TrustedFile::~TrustedFile() {
  if (fd_ >= 0) close(fd_);
}

size_t TrustedFile::ReadUpTo(void* out, size_t bytes, uint64_t offset) const {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t n =
        pread(fd_, static_cast<char*>(out) + done, bytes - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}

bool TrustedFile::Read(void* out, size_t bytes, uint64_t offset) const {
  return ReadUpTo(out, bytes, offset) == bytes;
}

std::string TrustedFile::Text(size_t most) const {
  const auto bytes = static_cast<size_t>(status_.st_size);
  if (bytes > most) Refuse(fmt::format("longer than {} bytes", most));
  std::string text(bytes, '\0');
  text.resize(ReadUpTo(text.data(), bytes, 0));
  return text;
}

bool TrustedFile::IsStillThere() const {
  struct stat now;
  return stat(path_.c_str(), &now) == 0 && now.st_dev == status_.st_dev &&
         now.st_ino == status_.st_ino && now.st_size == status_.st_size &&
         Same(now.st_mtim, status_.st_mtim) && Same(now.st_ctim, status_.st_ctim);
}

void TrustedFile::Refuse(std::string_view why) const {
  Fail(ErrorCode::kRegistration, {what_, " '", path_, "': ", why});
}

}  // namespace sy::plugin
