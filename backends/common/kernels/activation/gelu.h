// gelu, exact or by tanh.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_GELU_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_GELU_H_

#include <string_view>

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy {

template <class E>
struct GeluKernels {
  static void Gelu(Call call, const Tensor& out, const Tensor& self, std::string_view approximate) {
    if (approximate == "tanh") return Compute<E, f::GeluTanh>(call, out, self);
    Compute<E, f::Gelu>(call, out, self);
  }

  Kernel kernel{"gelu", E::kDevice, kFormula<f::Gelu>.dtypes(), Gelu};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_GELU_H_
