// logit, also of numbers kept between eps and 1 - eps.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_LOGIT_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_LOGIT_H_

#include <optional>

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy {

template <class E>
struct LogitKernels {
  static void Logit(Call call, const Tensor& out, const Tensor& self, std::optional<double> eps) {
    // Source: ATen's logit_kernel: a negative eps limits nothing.
    if (!eps || *eps < 0) return Compute<E, f::Logit>(call, out, self);
    // Limits in the precision of the computation.
    VisitDType<kFloatingTypes>(call.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const auto low = static_cast<double>(T(*eps));
      ComputeWith<E, f::LogitBetween>(call, out, {&self},
                                      {Scalar(low), Scalar(static_cast<double>(T(1 - low)))});
    });
  }

  Kernel kernel{"logit", E::kDevice, kFormula<f::Logit>.dtypes(), Logit};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_LOGIT_H_
