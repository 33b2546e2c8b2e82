// The upper or the lower triangle of matrices.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_TRIANGLE_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_TRIANGLE_H_

#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// Self's elements on one side of a diagonal, and on it; zeros on the other. out: [.., m, n], as
// self; it may be self.
void CopyTriangle(Call call, const Tensor& out, const Tensor& self, bool upper, int64_t diagonal);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_TRIANGLE_H_
