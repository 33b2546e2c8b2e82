// Reduces dimensions of a tensor.
//
//   Reduce(call, kReduction<f::Sum>, call.dtype(), self, DimMask(dim), &out);
//
// Elements convert to `dtype` and are reduced in it (or a wider one that holds it); results convert
// to their outputs' dtypes.
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: kNotImplemented for more than kMaxDims dimensions that cannot be merged.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_REDUCE_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_REDUCE_H_

#include "backends/cuda/plan/reduce_plan.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cuda {

// first: values, or the spread; second: positions, or means; null: not asked for.
void Reduce(Call call, const Reduction& reduction, DType dtype, const Tensor& self, uint64_t mask,
            const Tensor* first, const Tensor* second = nullptr, const ReduceFinish& finish = {});

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_REDUCE_H_
