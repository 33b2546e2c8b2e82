// switchyard cuda warm: compiles the kernels that most programs use into the disk cache, so that
// their first calls do not wait for the compiler. It needs NVRTC, and no device.

#include <iostream>
#include <string>
#include <vector>

#include "backends/cuda/properties.h"
#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/rtc/disk_cache.h"
#include "backends/cuda/rtc/kernels.h"
#include "switchyard/core/error.h"
#include "tools/command/cuda/sources.h"
#include "tools/command/cuda/subcommands.h"

namespace sy::cuda {
namespace {

// only: names of formulas; none: all.
void Warm(std::string architecture, const std::vector<std::string>& only) {
  const std::string folder = DiskCache::DefaultFolder();
  if (folder.empty()) {
    Fail(ErrorCode::kUnavailable,
         "there is nowhere to keep kernels: SWITCHYARD_CUDA_CACHE is empty, or there is no HOME");
  }
  if (architecture.empty()) {
    const Properties& p = GetProperties(0);
    architecture = ArchitectureFor(p.major, p.minor);
  }
  const std::vector<std::string> sources = UsualSources(only);
  ForEachSideBySide(sources.size(), [&](size_t i) { ImageOf({sources[i], architecture}); });
  std::cout << sources.size() << " kernels for " << architecture << " in " << folder << "\n";
}

}  // namespace

void AddWarm(CLI::App& cuda) {
  static std::string architecture;
  static std::vector<std::string> only;
  CLI::App* warm = cuda.add_subcommand("warm", "Compile the usual kernels into the disk cache");
  warm->add_option("--arch", architecture, "For which device, as sm_90; else for the first one");
  warm->add_option("--formula", only, "Only those of this one, as Add; repeatable");
  warm->callback([] { Warm(architecture, only); });
}

}  // namespace sy::cuda
