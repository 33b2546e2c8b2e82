// The emulated driver's modules and kernels, and the compiler that makes them: g++, of a kernel's
// generated source. An image is a shared object, and behind it, where there is NVRTC, the device's
// machine code of the same source, of which a launch looks at what it asks for.
//
// Owns: modules, for the process; while one is opened its file lies in a folder of the process's,
// in TEST_TMPDIR or /tmp, or in SWITCHYARD_EMULATOR_FOLDER.
// Threads: one at a time, but for what compiles.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_MODULES_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_MODULES_H_

#include <string>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/rtc/compile.h"

namespace sy::cuda::emulated {

// Errors: kInternal for a source that does not compile.
std::string CompileForHost(const Source& source);
// What besides a source decides what it compiles to.
std::string HostCompilerIdentity();

// The driver's functions of these.
void AddModules(DriverTable& t);

}  // namespace sy::cuda::emulated

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_MODULES_H_
