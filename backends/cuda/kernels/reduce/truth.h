// Whether elements are true: what all and any share.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_TRUTH_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_TRUTH_H_

#include <optional>

#include "backends/cuda/engine/reduce.h"

namespace sy::cuda {

template <const Reduction& kWhich>
void Truth(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool) {
  const uint64_t mask = dim && dim->empty() ? 0 : DimMask(dim);
  Reduce(call, kWhich, DType::kBool, self, mask, &out);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_TRUTH_H_
