// celu and selu: elu with other numbers.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_ELU_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_ELU_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy {

template <class E>
struct EluKernels {
  static void Celu(Call call, const Tensor& out, const Tensor& self, const Scalar& alpha) {
    ComputeWith<E, f::Elu>(call, out, {&self}, {alpha, Scalar(1), Scalar(1 / alpha.To<double>())});
  }
  // Source: G. Klambauer, T. Unterthiner, A. Mayr, S. Hochreiter, "Self-normalizing neural
  // networks", 2017, with ATen's digits.
  static void Selu(Call call, const Tensor& out, const Tensor& self) {
    ComputeWith<E, f::Elu>(call, out, {&self},
                           {Scalar(1.6732632423543772848170429916717),
                            Scalar(1.0507009873554804934193349852946), Scalar(1)});
  }

  Kernel celu{"celu", E::kDevice, kFormula<f::Elu>.dtypes(), Celu};
  Kernel selu{"selu", E::kDevice, kFormula<f::Elu>.dtypes(), Selu};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_ELU_H_
