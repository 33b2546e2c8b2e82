// polygamma: a formula, whose number stands in front of its tensor.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_SPECIAL_POLYGAMMA_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_SPECIAL_POLYGAMMA_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/zeta.h"

namespace sy {

template <class E>
struct PolygammaKernels {
  static void Polygamma(Call call, const Tensor& out, int64_t n, const Tensor& self) {
    ComputeWith<E, f::Polygamma>(call, out, {&self}, {Scalar(static_cast<double>(n))});
  }

  Kernel kernel{"polygamma", E::kDevice, kFormula<f::Polygamma>.dtypes(), Polygamma};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_SPECIAL_POLYGAMMA_H_
