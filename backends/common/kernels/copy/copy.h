// copy and fill.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_COPY_COPY_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_COPY_COPY_H_

#include "switchyard/backends/common/formula_kernel.h"

namespace sy {

template <class E>
struct CopyKernels {
  static void Copy(Call call, const Tensor& out, const Tensor& /*self*/, const Tensor& src,
                   bool /*non_blocking*/) {
    E::Copy(call, out, src);
  }
  static void Fill(Call call, const Tensor& out, const Tensor& /*self*/, const Scalar& value) {
    E::Fill(call, out, value);
  }

  Kernel copy{"copy", E::kDevice, kAnyDType, Copy};
  Kernel fill{"fill.Scalar", E::kDevice, kAnyDType, Fill};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_COPY_COPY_H_
