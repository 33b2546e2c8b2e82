// Kernels at hand: found by what they are specialised to, and compiled, or read from the disk
// cache, when they are first asked for.
//
//   CUfunction f = FindKernel(device, {&family, words…}, [&] { return TextOfTheSource(); });
//
// A source defines one kernel, `k`.
// Owns: loaded modules, for the process.
// Threads: any; readers share a lock, and a kernel is compiled once per process and device.
// Errors: as Compile's; kUnavailable where the driver refuses the image.
#ifndef SWITCHYARD_BACKENDS_CUDA_RTC_KERNELS_H_
#define SWITCHYARD_BACKENDS_CUDA_RTC_KERNELS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/runtime/device_state.h"

namespace sy::cuda {

// What a kernel is specialised to. family: the address of something that stands for the kind.
struct KernelKey {
  const void* family;
  std::array<uint64_t, 3> words;
  friend bool operator==(const KernelKey&, const KernelKey&) = default;
};

CUfunction FindKernel(DeviceState& device, const KernelKey& key,
                      const std::function<std::string()>& text);

// The image of a source for an architecture, from the disk cache or the compiler.
std::string ImageOf(const Source& source);
// "sm_90"
std::string ArchitectureOf(const Properties& p);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_KERNELS_H_
