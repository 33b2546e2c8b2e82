// Divisions whose quotient is rounded, and their remainders.
//
// Owns: nothing. Threads: any.
// Errors: kInvalidValue when an integer is divided by 0: at once, or, where the divisors are on a
// device that computes later, at the next synchronising call.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_DIV_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_DIV_H_

#include <optional>
#include <string_view>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/rounding.h"

namespace sy {

template <class E>
void RequireNoZero(const Call& call, const Tensor& out, const Tensor& other) {
  if (IsIntegral(call.dtype(), true) && out.numel() != 0) E::RequireNoZero(call, other);
}

// A number is not rounded to 16-bit floats, whatever its dtype.
template <class E, class F>
void DivideRounded(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  RequireNoZero<E>(call, out, other);
  if (Contains(kHalfTypes, call.dtype()) && other.numel() == 1)
    return E::RunKeepingNumber(E::template Of<F>(), call, out, {&self, &other});
  Compute<E, F>(call, out, self, other);
}
template <class E, class F>
void Remainder(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  RequireNoZero<E>(call, out, other);
  Compute<E, F>(call, out, self, other);
}

template <class E>
struct DivKernels {
  static void Mode(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
                   std::optional<std::string_view> rounding_mode) {
    if (!rounding_mode) return Compute<E, f::Div>(call, out, self, other);
    const bool floor = *rounding_mode == "floor";
    const FormulaDef& formula = floor ? kFormula<f::DivFloor> : kFormula<f::DivTrunc>;
    if (!Contains(formula.dtypes(), call.dtype())) FailRounding(call, *rounding_mode, self, other);
    floor ? DivideRounded<E, f::DivFloor>(call, out, self, other)
          : DivideRounded<E, f::DivTrunc>(call, out, self, other);
  }

  Kernel div{"div.Tensor_mode", E::kDevice,
             kFormula<f::Div>.dtypes() | kFormula<f::DivTrunc>.dtypes(), Mode};
  Kernel floor_divide{"floor_divide", E::kDevice, kFormula<f::DivFloor>.dtypes(),
                      DivideRounded<E, f::DivFloor>};
  Kernel fmod{"fmod.Tensor", E::kDevice, kFormula<f::Fmod>.dtypes(), Remainder<E, f::Fmod>};
  Kernel remainder{"remainder.Tensor", E::kDevice, kFormula<f::Remainder>.dtypes(),
                   Remainder<E, f::Remainder>};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_DIV_H_
