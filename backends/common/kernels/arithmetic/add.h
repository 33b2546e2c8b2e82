// add, sub and rsub: sums and differences of tensors, the second times a number.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_ADD_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_ADD_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/backends/common/numbers.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy {

// out = self + alpha other, where alpha may be 1.
template <class E>
SY_COLD SY_NOINLINE void AddTimes(const Call& call, const Tensor& out, const Tensor& self,
                                  const Tensor& other, const Scalar& alpha) {
  Compute<E, f::AddScaled>(call, out, self, other, NumberFor(call.dtype(), alpha));
}

template <class E>
struct AddKernels {
  static void Add(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
                  const Scalar& alpha) {
    if (alpha.is_one()) [[likely]]
      return Compute<E, f::Add>(call, out, self, other);
    AddTimes<E>(call, out, self, other, alpha);
  }
  static void Sub(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
                  const Scalar& alpha) {
    if (alpha.is_one()) [[likely]]
      return Compute<E, f::Sub>(call, out, self, other);
    AddTimes<E>(call, out, self, other, Negative(alpha));
  }
  static void Rsub(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
                   const Scalar& alpha) {
    Sub(call, out, other, self, alpha);
  }

  Kernel add{"add.Tensor", E::kDevice, kFormula<f::Add>.dtypes(), Add};
  Kernel sub{"sub.Tensor", E::kDevice, kFormula<f::Sub>.dtypes(), Sub};
  Kernel rsub{"rsub.Tensor", E::kDevice, kFormula<f::Sub>.dtypes(), Rsub};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_ADD_H_
