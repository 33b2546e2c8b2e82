// A CUDA driver and compiler that run on the host, for tests where there is no device: kernels'
// generated sources are compiled by g++ and run thread by thread, so that code generation, launch
// shapes, index arithmetic and the kernels themselves are tested; what is not: the hardware.
//
//   int main(…) { sy::cuda::EmulateCuda(); … }      // before anything asks for the driver
//
// Where there is NVRTC, it compiles every source as well: a launch is refused for whose blocks a
// multiprocessor has too few registers. An access that is not aligned ends the program, as does one
// far enough beyond memory from the driver (with SWITCHYARD_CUDA_CACHING=0, each block's); memory
// that nobody has written holds NaN.
//
// cuSOLVER's part is played by LAPACK, cuFFT's by KISS FFT.
//
// Two devices, each with its own memory, which neither the host's code nor the other's kernels may
// touch: it is mapped only while kernels and copies run. Work is refused where another device's
// context is current. What a stream is given waits until somebody waits for it, or for an event
// behind it: who reads without waiting reads what was there before. Graphs record launches and
// copies, of all streams that events join to the capture; what would break a capture does.
// Threads: one at a time.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_EMULATOR_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_EMULATOR_H_

#include "backends/cuda/driver/driver.h"

namespace sy::cuda {

const DriverTable& EmulatedDriver();
// `table`, which must live for the process: the emulated driver, or one with other functions in it.
void EmulateCuda(const DriverTable& table = EmulatedDriver());
// From here on the device answers this to whatever it is asked; CUDA_SUCCESS: as before.
void EmulateFailure(int device, CUresult result);
// How much work cuSOLVER and cuBLAS have been called to queue so far.
int EmulatedSolverCalls();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_EMULATOR_H_
