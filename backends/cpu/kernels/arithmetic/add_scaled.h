// self + alpha other and self - alpha other: what add, sub and rsub are.
//
// Owns: nothing. Threads: any; large calls are split over ParallelFor's.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_ARITHMETIC_ADD_SCALED_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_ARITHMETIC_ADD_SCALED_H_

#include "switchyard/core/macros.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {

// out = self + alpha other, in `dtype`.
SY_COLD void AddScaled(DType dtype, const Tensor& out, const Tensor& self, const Tensor& other,
                       const Scalar& alpha);

// out = self - alpha other.
void SubScaled(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
               const Scalar& alpha);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_ARITHMETIC_ADD_SCALED_H_
