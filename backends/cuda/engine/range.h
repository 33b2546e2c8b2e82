// Numbers at equal distances.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_RANGE_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_RANGE_H_

#include "switchyard/core/scalar.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// out = start, start + step, .. in row-major order; integers exactly.
void FillRange(Call call, const Tensor& out, const Scalar& start, const Scalar& step);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_RANGE_H_
