// A CUDA driver and compiler that run on the host, for tests where there is no device: kernels'
// generated sources are compiled by g++ and run thread by thread, so that code generation, launch
// shapes, index arithmetic and the kernels themselves are tested; what is not: the hardware.
//
//   int main(…) { sy::cuda::EmulateCuda(); … }      // before anything asks for the driver
//
// Where there is NVRTC, it compiles every source as well: a launch is refused for whose blocks a
// multiprocessor has too few registers. An access that is not aligned ends the program, as does one
// far enough beyond memory from the driver (with SWITCHYARD_CUDA_CACHING=0, each block's); memory
// that nobody has written holds NaN, and so does a block's shared memory when it begins. Threads of
// a block that wait at different barriers end the program, as does a lane that calls what its mask
// (`*_sync`) does not name it for; lanes outside a mask are neither waited for nor heard.
//
// cuSOLVER's part is played by LAPACK, cuFFT's by KISS FFT, and, where
// SWITCHYARD_EMULATOR_CUDNN and SWITCHYARD_EMULATOR_CUBLASLT are 1, theirs by loops.
//
// Two devices of 132 multiprocessors, or as many as SWITCHYARD_EMULATOR_PROCESSORS says, each with
// its own memory, which neither the host's code nor the other's kernels may touch: it is mapped
// only while kernels and copies run. Work is refused where another device's context is current.
// What a stream is given waits until somebody waits for it, or for an event behind it: who reads
// without waiting reads what was there before. Graphs record launches and copies, of all streams
// that events join to the capture; what would break a capture does.
// Threads: one at a time.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_EMULATOR_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_EMULATOR_H_

#include <string>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/rtc/compile.h"

namespace sy::cuda {

const DriverTable& EmulatedDriver();
// `table`, which must live for the process: the emulated driver, or one with other functions in it.
void EmulateCuda(const DriverTable& table = EmulatedDriver());
// Where there is a device, nothing, and true. Else the emulator, and false; or, where
// SWITCHYARD_REQUIRE_GPU is 1, the program ends with status 3 and says why there is none: a test
// that is to show that a GPU works must not be green without.
bool UseDeviceOrEmulator();
// The emulator's compiler, for who looks at what is compiled (UseCompiler).
std::string CompileForEmulator(const Source& source);
// From here on the device answers this to whatever it is asked; CUDA_SUCCESS: as before.
void EmulateFailure(int device, CUresult result);
// As cuStreamDestroy: who uses it from here on ends the program; what it was given is done.
void DestroyEmulatedStream(CUstream stream);
// How much work cuSOLVER and cuBLAS have been called to queue so far.
int EmulatedSolverCalls();
// The same of cuBLASLt and of cuDNN, and which of the emulator's engines of the latter
// (emulator/dnn.cc) was the last: 0 rounds float32, 1 adds up in any order, 2 does neither; -1:
// none.
int EmulatedProductCalls();
int EmulatedDnnCalls();
int EmulatedDnnEngine();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_EMULATOR_H_
