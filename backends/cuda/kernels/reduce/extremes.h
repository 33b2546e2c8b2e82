// The greatest or the least of elements: what max and min share.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_EXTREMES_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_EXTREMES_H_

#include "backends/cuda/engine/reduce.h"

namespace sy::cuda {

template <const Reduction& kWhich>
void Whole(Call call, const Tensor& out, const Tensor& self) {
  Reduce(call, kWhich, call.dtype(), self, kAllDims, &out);
}
template <const Reduction& kWhich>
void WithPositions(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
                   int64_t dim, bool) {
  Reduce(call, kWhich, call.dtype(), self, DimMask(dim), &values, &indices);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_EXTREMES_H_
