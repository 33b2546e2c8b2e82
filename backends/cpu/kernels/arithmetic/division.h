// What divisions whose quotient is rounded, and their remainders, have in common.
//
//   RequireNoZero(call, out, other);
//   RunLoops(kLoops<f::Fmod>, call.dtype(), out, self, other);
//
// Owns: nothing. Threads: any; large calls are split over ParallelFor's.
// Errors: kInvalidValue when an integer is divided by 0.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_ARITHMETIC_DIVISION_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_ARITHMETIC_DIVISION_H_

#include "switchyard/backends/cpu/engine/loop.h"
#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {

// Fails where a call that computes in integers divides by a zero.
void RequireNoZero(const Call& call, const Tensor& out, const Tensor& other);

// out = self / other by `set`, the loops of a rounded quotient.
void DivideRounded(const LoopSet& set, Call call, const Tensor& out, const Tensor& self,
                   const Tensor& other);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_ARITHMETIC_DIVISION_H_
