// clamp and what it is called with one limit, or under a name of its own.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_CLAMP_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_CLAMP_H_

#include <optional>

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy {

// Limits that are undefined do not limit; one of them is defined.
template <class E>
void ClampTensor(Call call, const Tensor& out, const Tensor& self, const Tensor& min,
                 const Tensor& max) {
  if (!max.defined()) return Compute<E, f::Maximum>(call, out, self, min);
  if (!min.defined()) return Compute<E, f::Minimum>(call, out, self, max);
  Compute<E, f::Clamp>(call, out, self, min, max);
}

template <class E>
struct ClampKernels {
  static void Clamp(Call call, const Tensor& out, const Tensor& self,
                    const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
    const Tensor none;
    ClampTensor<E>(call, out, self, min ? NumberTensor(*min) : none,
                   max ? NumberTensor(*max) : none);
  }
  static void Min(Call call, const Tensor& out, const Tensor& self, const Scalar& min) {
    Compute<E, f::Maximum>(call, out, self, NumberTensor(min));
  }
  static void Max(Call call, const Tensor& out, const Tensor& self, const Scalar& max) {
    Compute<E, f::Minimum>(call, out, self, NumberTensor(max));
  }

  static constexpr DTypeMask kDTypes = kFormula<f::Clamp>.dtypes();
  Kernel clamp{"clamp", E::kDevice, kDTypes, Clamp};
  Kernel clamp_tensor{"clamp.Tensor", E::kDevice, kDTypes | Bit(DType::kBool), ClampTensor<E>};
  Kernel clamp_min{"clamp_min", E::kDevice, kDTypes, Min};
  Kernel clamp_max{"clamp_max", E::kDevice, kDTypes, Max};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_CLAMP_H_
