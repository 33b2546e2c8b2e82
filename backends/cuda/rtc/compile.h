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
#include <string_view>

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
// Whether what that compiler made is what this backend's would make: the same compiler with the
// same options, whatever its version, which is CUDA's then, as the driver says it (13010: 13.1),
// and 0 for a compiler that is none of NVIDIA's.
bool IsAsOurs(std::string_view compiler_identity, int* version);
// Whether there is a compiler; `why`, if given, says what is missing.
bool HasCompiler(std::string* why = nullptr);

// NVRTC itself, whatever is put in its place. `why`, if given, says why there is none.
std::string CompileWithNvrtc(const Source& source);
bool HasNvrtc(std::string* why = nullptr);

// Instead of NVRTC: what tests put there, and its CompilerIdentity.
using CompileFunction = std::string (*)(const Source&);
void UseCompiler(CompileFunction compile, std::string (*identity)() = nullptr);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_COMPILE_H_
