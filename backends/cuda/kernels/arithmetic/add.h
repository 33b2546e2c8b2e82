// Sums and differences of tensors, the second times a number: what add, sub and rsub are.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_ARITHMETIC_ADD_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_ARITHMETIC_ADD_H_

#include "switchyard/core/scalar.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// out = self + alpha * other
void AddScaled(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
               const Scalar& alpha);
// out = self - alpha * other
void SubScaled(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
               const Scalar& alpha);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_ARITHMETIC_ADD_H_
