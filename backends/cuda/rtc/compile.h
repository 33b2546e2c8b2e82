// Compiles kernels with NVRTC, NVIDIA's compiler as a library, which is opened when it is first
// needed.
//
//   std::string image = Compile({"…", "sm_90"});     // what the driver loads
//
// Owns: nothing. Threads: any.
// Errors: kUnavailable where there is no NVRTC; kInternal, with the compiler's log, for a source
// that does not compile.
#ifndef SWITCHYARD_BACKENDS_CUDA_RTC_COMPILE_H_
#define SWITCHYARD_BACKENDS_CUDA_RTC_COMPILE_H_

#include <string>

namespace sy::cuda {

struct Source {
  std::string text;
  std::string architecture;  // "sm_90": machine code; "compute_90": PTX
};

std::string Compile(const Source& source);
// What to compile for, for a device of that compute capability: its machine code, or, where the
// compiler is older than the device, PTX. Errors: kUnavailable for a device that is too old.
std::string ArchitectureFor(int major, int minor);
// What compiled: its version, and everything else besides the source that the image depends on.
std::string CompilerIdentity();
// Whether there is a compiler; `why`, if given, says what is missing.
bool HasCompiler(std::string* why = nullptr);

// NVRTC itself, whatever is put in its place. `why`, if given, says why there is none.
std::string CompileWithNvrtc(const Source& source);
bool HasNvrtc(std::string* why = nullptr);

// Instead of NVRTC: what tests put there.
using CompileFunction = std::string (*)(const Source&);
void UseCompiler(CompileFunction compile);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_COMPILE_H_
