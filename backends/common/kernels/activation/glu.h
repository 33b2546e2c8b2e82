// glu: a formula of the two halves of a dimension.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_GLU_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_GLU_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy {

template <class E>
struct GluKernels {
  static void Glu(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
    const auto d = static_cast<size_t>(dim);
    const int64_t second = self.storage_offset() + out.sizes()[d] * self.strides()[d];
    Compute<E, f::Glu>(call, out,
                       self.AsStrided(out.sizes(), self.strides(), self.storage_offset()),
                       self.AsStrided(out.sizes(), self.strides(), second));
  }

  Kernel kernel{"glu", E::kDevice, kFormula<f::Glu>.dtypes(), Glu};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_GLU_H_
