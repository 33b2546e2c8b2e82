// Compiled kernels, and what was measured, kept in files for the next process.
//
//   SWITCHYARD_CUDA_CACHE names the folder, an absolute path; empty: nothing is kept. Without it:
//   $XDG_CACHE_HOME/switchyard/cuda, or ~/.cache/switchyard/cuda.
//
// A file holds the source it was compiled from, so that nothing else is ever taken for it, and a
// checksum, so that what a disk has spoilt is not; it is
// written beside its name and then moved there, so that readers see all of it or nothing. Folder
// and files are made for this user alone. They are not used where somebody else than this user and
// root owns them or may write them, which is logged; a folder that cannot be written is as good as
// none. In a process with more rights than its user has there is no folder.
// Owns: nothing. Threads and processes: any number.
#ifndef SWITCHYARD_BACKENDS_CUDA_RTC_DISK_CACHE_H_
#define SWITCHYARD_BACKENDS_CUDA_RTC_DISK_CACHE_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sy::cuda {

// A number that texts which differ hardly ever share. before: that of the text that is continued.
uint64_t Fingerprint(std::string_view text, uint64_t before = 0xcbf29ce484222325u);

// The contents of a file that nobody else than this user and root can have written; nothing else.
std::optional<std::string> ReadOurs(const std::string& folder, const char* name);
// For whom what is written is.
enum class Readers { kThisUser, kAll };
// Writes a file beside its name and moves it there; the folder is made. False: it is not there.
bool WriteOurs(const std::string& folder, const char* name,
               std::initializer_list<std::string_view> pieces, Readers readers);

class DiskCache {
 public:
  // ending: of files' names.
  explicit DiskCache(std::string folder, Readers readers = Readers::kThisUser,
                     std::string ending = ".kernel")
      : folder_(std::move(folder)), readers_(readers), ending_(std::move(ending)) {}
  static std::string DefaultFolder();  // empty: none
  const std::string& folder() const { return folder_; }

  // key: everything that the image depends on.
  std::optional<std::string> Find(const std::string& key) const;
  // False: it is not kept.
  bool Keep(const std::string& key, const std::string& image) const;
  // Of all images that can be had, sorted.
  std::vector<std::string> Keys() const;

 private:
  std::string NameOf(const std::string& key) const;
  std::string folder_;
  Readers readers_;
  std::string ending_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_DISK_CACHE_H_
