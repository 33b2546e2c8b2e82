// conj_physical of real numbers, which are their own conjugates.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_COMPLEX_CONJ_PHYSICAL_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_COMPLEX_CONJ_PHYSICAL_H_

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/facts.h"

namespace sy {

template <class E>
struct ConjPhysicalKernels {
  static void Same(Call call, const Tensor& out, const Tensor& self) { E::Copy(call, out, self); }

  Kernel kernel{"conj_physical", E::kDevice, kAllTypes & ~(f::kComplexes | f::kComplex32), Same};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_COMPLEX_CONJ_PHYSICAL_H_
