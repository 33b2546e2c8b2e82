// masked_fill.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_MASKED_FILL_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_MASKED_FILL_H_

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy {

template <class E>
struct MaskedFillKernels {
  static void MaskedFill(Call call, const Tensor& out, const Tensor& self, const Tensor& mask,
                         const Tensor& value) {
    RequireFits(call, value, self.dtype());
    Compute<E, f::Where>(call, out, mask, value, self);
  }

  Kernel kernel{"masked_fill.Tensor", E::kDevice, kAnyDType, MaskedFill};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_MASKED_FILL_H_
