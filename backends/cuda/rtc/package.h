// Kernels compiled ahead, for machines that a program is taken to: a folder that any number of
// programs read, with images for several architectures. Where it has a kernel nothing is compiled,
// and NVRTC is not needed.
//
//   FOLDER/contents.txt   what compiled them, from which headers, for which architectures
//   FOLDER/sm_90/…        machine code, in files as the disk cache has them; compute_100: PTX
//
// It is looked for in SWITCHYARD_CUDA_PACKAGE, an absolute path (empty: none), else beside the
// library or program that this code lies in, as "switchyard-kernels". Files that others than this
// user and root may write are not used, and in a process with more rights than its user has the
// variable is not looked at.
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_RTC_PACKAGE_H_
#define SWITCHYARD_BACKENDS_CUDA_RTC_PACKAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/rtc/disk_cache.h"

namespace sy::cuda {

struct PackageContents {
  std::string compiler;  // its CompilerIdentity
  uint64_t headers = 0;  // a fingerprint of this library's own
  std::vector<std::string> architectures;
  friend bool operator==(const PackageContents&, const PackageContents&) = default;
};
// Nothing, and `why`, where there is none that can be read.
std::optional<PackageContents> ReadContents(const std::string& folder, std::string* why);
// Errors: kUnavailable where the folder cannot be written.
void WriteContents(const std::string& folder, const PackageContents& contents);

// The device that a package is to serve: its compute capability, and what CUDA its driver is of, as
// the driver says it (13010: 13.1).
struct Served {
  int major, minor, driver;
};
// Which of a package's architectures serves a device, and `why` none does: its own machine code, or
// that of an older one of the same major number, else PTX that is not newer than it. Machine code
// asks for a driver of the compiler's major version, PTX for one of its version.
std::optional<std::string> ArchitectureIn(const PackageContents& contents, int compiler_version,
                                          const Served& device, std::string* why);

// A package as a device sees it.
class Package {
 public:
  static std::string DefaultFolder();  // where to look; empty: nowhere
  // Nothing, and `why`, where it does not fit the device or this library.
  static std::optional<Package> For(const std::string& folder, const Served& device,
                                    std::string* why);
  const std::string& architecture() const { return architecture_; }
  const std::string& folder() const { return cache_.folder(); }
  std::optional<std::string> Find(const std::string& source_text) const;

 private:
  Package(std::string compiler, std::string architecture, const std::string& folder)
      : compiler_(std::move(compiler)),
        architecture_(std::move(architecture)),
        cache_(folder + "/" + architecture_) {}
  std::string compiler_, architecture_;
  DiskCache cache_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_PACKAGE_H_
