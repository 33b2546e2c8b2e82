// Compiled kernels kept in files, for the next process.
//
//   SWITCHYARD_CUDA_CACHE names the folder, an absolute path; empty: nothing is kept. Without it:
//   $XDG_CACHE_HOME/switchyard/cuda, or ~/.cache/switchyard/cuda.
//
// A file holds the source it was compiled from, so that nothing else is ever taken for it; it is
// written beside its name and then moved there, so that readers see all of it or nothing. Folder
// and files are made for this user alone. They are not used where somebody else than this user and
// root owns them or may write them, which is logged; a folder that cannot be written is as good as
// none. In a process with more rights than its user has there is no folder.
// Owns: nothing. Threads and processes: any number.
#ifndef SWITCHYARD_BACKENDS_CUDA_RTC_DISK_CACHE_H_
#define SWITCHYARD_BACKENDS_CUDA_RTC_DISK_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sy::cuda {

// A number that texts which differ hardly ever share.
uint64_t Fingerprint(std::string_view text);

class DiskCache {
 public:
  explicit DiskCache(std::string folder) : folder_(std::move(folder)) {}
  static std::string DefaultFolder();  // empty: none
  const std::string& folder() const { return folder_; }

  // key: everything that the image depends on.
  std::optional<std::string> Find(const std::string& key) const;
  void Keep(const std::string& key, const std::string& image) const;

 private:
  static std::string NameOf(const std::string& key);
  std::string folder_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_DISK_CACHE_H_
