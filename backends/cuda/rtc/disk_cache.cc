#include "backends/cuda/rtc/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "switchyard/core/error.h"
#include "switchyard/core/logging.h"

namespace sy::cuda {
namespace {

constexpr char kMagic[8] = {'S', 'Y', 'C', 'U', 'B', 'I', 'N', '2'};
// How a file begins; the key follows, then the image.
struct Head {
  char magic[sizeof kMagic];
  uint64_t key_bytes, fingerprint;  // of the image
};
constexpr off_t kMostBytes = off_t{1} << 30;  // of a file: no kernel comes near

void WarnOnce(std::initializer_list<Piece> why) {
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true) || is_warn_always_enabled()) Log(LogLevel::kWarning, Join(why));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

// Whether nobody else can have written what `status` is of.
bool IsOurs(const struct stat& status) {
  return (status.st_uid == geteuid() || status.st_uid == 0) &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void MakeFolders(const std::string& folder, mode_t mode) {
  for (size_t end = 1; end != folder.npos;) {
    end = folder.find('/', end + 1);
    mkdir(folder.substr(0, end).c_str(), mode);  // fails where it is there
  }
}

// Below 0 where there is no folder to use.
int OpenFolder(const std::string& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  if (fd < 0 || (fstat(fd, &status) == 0 && IsOurs(status))) return fd;
  close(fd);
  WarnOnce({"compiled kernels are not kept in '", folder,
            "': it belongs to somebody else, or others may write it"});
  return -1;
}

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

std::string ReadAll(int fd, off_t size) {
  std::string all(static_cast<size_t>(size), '\0');
  size_t done = 0;
  while (done < all.size()) {
    const ssize_t n = read(fd, all.data() + done, all.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  all.resize(done);
  return all;
}

std::optional<std::string> ReadOursAt(int folder, const char* name) {
  const Descriptor file(
      openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status;
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      !IsOurs(status) || status.st_size > kMostBytes) {
    return std::nullopt;
  }
  return ReadAll(file.get(), status.st_size);
}

// A file of the cache.
struct Record {
  std::string key, image;
  bool damaged;  // the image is not what was written
};
std::optional<Record> ReadRecord(int folder, const char* name) {
  const std::optional<std::string> file = ReadOursAt(folder, name);
  Head head;
  if (!file || file->size() < sizeof head) return std::nullopt;
  const std::string& all = *file;
  std::memcpy(&head, all.data(), sizeof head);
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 ||
      head.key_bytes >= all.size() - sizeof head) {
    return std::nullopt;
  }
  Record record{all.substr(sizeof head, head.key_bytes), all.substr(sizeof head + head.key_bytes),
                false};
  record.damaged = Fingerprint(record.image) != head.fingerprint;
  return record;
}

std::string Hex(uint64_t number) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < 16; ++i, number >>= 4) text += kDigits[number & 15];
  return text;
}

// The value of a variable that names a folder by an absolute path; else empty.
std::string FolderIn(const char* variable) {
  const char* text = secure_getenv(variable);
  return text != nullptr && *text == '/' ? text : "";
}

}  // namespace

// FNV-1a, 64 bits: G. Fowler, L. C. Noll, K.-P. Vo (www.isthe.com/chongo/tech/comp/fnv).
uint64_t Fingerprint(std::string_view text, uint64_t before) {
  for (char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return before;
}

std::string DiskCache::DefaultFolder() {
  if (const char* given = secure_getenv("SWITCHYARD_CUDA_CACHE")) {
    if (*given != '\0' && *given != '/') {
      WarnOnce({"compiled kernels are not kept in SWITCHYARD_CUDA_CACHE, '", given,
                "': it is not an absolute path"});
    }
    return *given == '/' ? given : "";
  }
  if (const std::string cache = FolderIn("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/switchyard/cuda";
  if (const std::string home = FolderIn("HOME"); !home.empty())
    return home + "/.cache/switchyard/cuda";
  return "";
}

std::optional<std::string> ReadOurs(const std::string& folder, const char* name) {
  const Descriptor opened(OpenFolder(folder));
  return opened.get() < 0 ? std::nullopt : ReadOursAt(opened.get(), name);
}

bool WriteOurs(const std::string& path, const char* name,
               std::initializer_list<std::string_view> pieces, Readers readers) {
  if (path.empty()) return false;
  const bool for_all = readers == Readers::kAll;
  MakeFolders(path, for_all ? 0755 : S_IRWXU);
  const Descriptor folder(OpenFolder(path));
  uint64_t number;
  if (folder.get() < 0 || getrandom(&number, sizeof number, 0) != sizeof number) return false;
  const std::string beside = name + ("." + Hex(number));
  bool written = true;
  {
    const Descriptor file(openat(folder.get(), beside.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                 for_all ? 0644 : S_IRUSR | S_IWUSR));
    if (file.get() < 0) return false;
    for (std::string_view piece : pieces) written = written && WriteAll(file.get(), piece);
  }
  if (written && renameat(folder.get(), beside.c_str(), folder.get(), name) == 0) return true;
  unlinkat(folder.get(), beside.c_str(), 0);
  return false;
}

std::string DiskCache::NameOf(const std::string& key) const {
  return Hex(Fingerprint(key)) + ending_;
}

std::optional<std::string> DiskCache::Find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const Descriptor folder(OpenFolder(folder_));
  if (folder.get() < 0) return std::nullopt;
  std::optional<Record> record = ReadRecord(folder.get(), NameOf(key).c_str());
  if (!record || record->key != key) return std::nullopt;
  if (!record->damaged) return std::move(record->image);
  WarnOnce({"a file in '", folder_, "' is damaged, and is made anew: ", NameOf(key)});
  return std::nullopt;
}

bool DiskCache::Keep(const std::string& key, const std::string& image) const {
  Head head{{}, key.size(), Fingerprint(image)};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  return WriteOurs(folder_, NameOf(key).c_str(),
                   {{reinterpret_cast<const char*>(&head), sizeof head}, key, image}, readers_);
}

std::vector<std::string> DiskCache::Keys() const {
  std::vector<std::string> keys;
  const int fd = folder_.empty() ? -1 : OpenFolder(folder_);
  DIR* const folder = fd < 0 ? nullptr : fdopendir(fd);
  if (folder == nullptr) return keys;
  while (const dirent* entry = readdir(folder)) {
    if (!std::string_view(entry->d_name).ends_with(ending_)) continue;
    std::optional<Record> record = ReadRecord(fd, entry->d_name);
    if (record && !record->damaged) keys.push_back(std::move(record->key));
  }
  closedir(folder);
  std::ranges::sort(keys);
  return keys;
}

}  // namespace sy::cuda
