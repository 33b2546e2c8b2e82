// pow with a number as exponent: products, roots and quotients for the small ones.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_POW_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_POW_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy {

template <class E>
struct PowKernels {
  static void PowNumber(Call call, const Tensor& out, const Tensor& self, const Scalar& exponent) {
    const bool real = !exponent.is_complex() || exponent.complex_data()[1] == 0;
    const double e = real ? exponent.To<double>() : 0.25;  // none of the cases
    if (e == 0) return E::Fill(call, out, Scalar(1));
    if (e == 1) return E::Copy(call, out, self);
    if (e == 2) return Compute<E, f::Mul>(call, out, self, self);
    if (e == 3) return Compute<E, f::Cube>(call, out, self);
    if (Contains(kFormula<f::Sqrt>.dtypes(), call.dtype()) && call.dtype() != DType::kFloat16) {
      if (e == 0.5) return Compute<E, f::Sqrt>(call, out, self);
      if (e == -0.5) return Compute<E, f::Rsqrt>(call, out, self);
      if (e == -1) return Compute<E, f::Div>(call, out, NumberTensor(Scalar(1)), self);
    }
    const Tensor number = NumberTensor(exponent);
    if (KeepsNumber(call.dtype(), 2, number))
      return E::RunKeepingNumber(E::template Of<f::Pow>(), call, out, {&self, &number});
    Compute<E, f::Pow>(call, out, self, number);
  }

  Kernel kernel{"pow.Tensor_Scalar", E::kDevice, kFormula<f::Pow>.dtypes(), PowNumber};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_POW_H_
