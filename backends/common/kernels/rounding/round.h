// Roundings: of integers, which change nothing, and to decimals.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ROUNDING_ROUND_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ROUNDING_ROUND_H_

#include <cmath>
#include <cstdlib>

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/rounding.h"

namespace sy {

template <class E>
struct RoundKernels {
  static void Same(Call call, const Tensor& out, const Tensor& self) { E::Copy(call, out, self); }
  static void Decimals(Call call, const Tensor& out, const Tensor& self, int64_t decimals) {
    if (decimals == 0) return Compute<E, f::Round>(call, out, self);
    const Scalar scale(std::pow(10.0, std::abs(static_cast<double>(decimals))));
    if (decimals > 0) return ComputeWith<E, f::RoundToParts>(call, out, {&self}, {scale});
    ComputeWith<E, f::RoundToMultiples>(call, out, {&self}, {scale});
  }

  static constexpr DTypeMask kWhole = f::kIntegers | f::kWideUnsigned;
  Kernel ceil{"ceil", E::kDevice, kWhole, Same};
  Kernel floor{"floor", E::kDevice, kWhole, Same};
  Kernel round{"round", E::kDevice, kWhole, Same};
  Kernel trunc{"trunc", E::kDevice, kWhole, Same};
  Kernel decimals{"round.decimals", E::kDevice, kFormula<f::RoundToParts>.dtypes(), Decimals};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ROUNDING_ROUND_H_
