// Losses of elements or rows, reduced to one.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_REDUCE_LOSSES_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_REDUCE_LOSSES_H_

#include "switchyard/op/kernel.h"

namespace sy::cuda {

// out = the elements' sum or mean, computed in `dtype`.
void ReduceLosses(Call call, const Tensor& out, DType dtype, const Tensor& elements,
                  int64_t reduction);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_REDUCE_LOSSES_H_
