// cuSOLVER and what cuBLAS has beside it as LAPACK, on the host, in the emulated device's memory.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_SOLVER_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_SOLVER_H_

#include <cuda.h>

#include <functional>

namespace sy::cuda {

// Where there is no LAPACK, everything as without cuSOLVER.
void EmulateSolver();
// Queues work, which may touch the memory of the stream's device.
void QueueOnHost(CUstream stream, std::function<void()> work);
// Whether these bytes are memory of the stream's device.
bool LiesOnDevice(CUstream stream, const void* p, size_t bytes);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_SOLVER_H_
