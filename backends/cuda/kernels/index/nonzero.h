// Elements of a tensor that are not 0, and where they are.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_NONZERO_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_NONZERO_H_

#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// In row-major order: [t.dim(), n] of int64, row d positions in dim d, contiguous. Waits for the
// device.
Tensor NonzeroPositions(Call call, const Tensor& t);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_NONZERO_H_
