// A CUDA driver and compiler that run on the host, for tests where there is no device: kernels'
// generated sources are compiled by g++ and run thread by thread, so that code generation, launch
// shapes, index arithmetic and the kernels themselves are tested; what is not: the hardware.
//
//   int main(…) { sy::cuda::EmulateCuda(); … }      // before anything asks for the driver
//
// Where there is NVRTC, it compiles every source as well, for what it says.
//
// cuSOLVER's part is played by LAPACK.
//
// One device, with its own memory, which the host's code may not touch: it is mapped only while
// kernels and copies run. Streams are in order and done at once. Graphs record launches and copies.
// Threads: one at a time.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_EMULATOR_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_EMULATOR_H_

namespace sy::cuda {

void EmulateCuda();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_EMULATOR_H_
