// hardtanh and relu6: clamp under other names.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_HARDTANH_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_HARDTANH_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy {

template <class E>
struct HardtanhKernels {
  static void Hardtanh(Call call, const Tensor& out, const Tensor& self, const Scalar& min_val,
                       const Scalar& max_val) {
    Compute<E, f::Clamp>(call, out, self, NumberTensor(min_val), NumberTensor(max_val));
  }
  static void Relu6(Call call, const Tensor& out, const Tensor& self) {
    Hardtanh(call, out, self, Scalar(0), Scalar(6));
  }

  Kernel hardtanh{"hardtanh", E::kDevice, kFormula<f::Clamp>.dtypes(), Hardtanh};
  Kernel relu6{"relu6", E::kDevice, kFormula<f::Clamp>.dtypes(), Relu6};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_HARDTANH_H_
