// Kernels at hand: found by what they are specialised to, and read from a package of kernels that
// were compiled ahead or from the disk cache, or compiled, when they are first asked for.
//
//   CUfunction f = FindKernel(device, {&kind, words…}, [&] { return TextOfTheSource(); });
//
// A source defines one kernel, by SY_CUDA_KERNEL or SY_CUDA_BOUNDED_KERNEL (device/grid.h), whose
// name tools show.
// Owns: loaded modules, for the process.
// Threads: any. What a thread has asked for lately it finds without a lock; a kernel is compiled
// once per process and device, and threads that want others meanwhile do not wait for it.
// Errors: as Compile's; kUnavailable where the driver refuses the image.
#ifndef SWITCHYARD_BACKENDS_CUDA_RTC_KERNELS_H_
#define SWITCHYARD_BACKENDS_CUDA_RTC_KERNELS_H_

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/runtime/device_state.h"

namespace sy::cuda {

// What a kernel is specialised to. kind: the address of something that stands for the kind.
struct KernelKey {
  const void* kind;
  std::array<uint64_t, 3> words;
  friend bool operator==(const KernelKey&, const KernelKey&) = default;
};

// A function that writes a source, borrowed for a call.
class SourceText {
 public:
  template <class F>
  requires(!std::same_as<std::remove_cvref_t<F>, SourceText>)
      SourceText(const F& f)  // NOLINT(google-explicit-constructor): stands for the function
      : function_(&f), run_([](const void* g) { return (*static_cast<const F*>(g))(); }) {}
  std::string operator()() const { return run_(function_); }

 private:
  const void* function_;
  std::string (*run_)(const void*);
};

CUfunction FindKernel(DeviceState& device, const KernelKey& key, SourceText text);

// The name of the kernel that a source defines.
std::string KernelNameOf(std::string_view text);

// What an image is kept under: all that it depends on. compiler: its CompilerIdentity.
std::string ImageKey(const std::string& compiler, const Source& source);
// The source that such a key is of, where it is one.
struct KeptSource {
  uint64_t headers;
  Source source;
};
std::optional<KeptSource> SourceOfKey(const std::string& key);
// A fingerprint of the headers that sources may include: of this library's own, or, of a source
// that includes others', of all.
uint64_t OwnHeaders();
uint64_t HeadersOf(std::string_view source_text);

// What serves a device ahead of the compiler (rtc/package.h): where it lies and which architecture
// it has for it, or why there is none.
std::string DescribePackageFor(int device_index);

// The image of a source for an architecture, from the disk cache or the compiler.
// kept, if given: whether it was there already.
std::string ImageOf(const Source& source, bool* kept = nullptr);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_KERNELS_H_
