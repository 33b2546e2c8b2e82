// The kernels of every formula of a header, for a file that is made of it (formula_sources in
// ops/formulas/defs.bzl):
//
//   #define SY_FORMULA_HEADER "switchyard/ops/formulas/trigonometric.h"
//   #include "switchyard/backends/cuda/formula_kernels.h"
//   #include "switchyard/ops/formulas/trigonometric.h"
//
// Formulas in headers that this one includes belong to those.
// Owns, threads: as backends/cuda/formula.h.
// Errors: as backends/cuda/formula.h.
#ifndef SWITCHYARD_BACKENDS_CUDA_FORMULA_KERNELS_H_
#define SWITCHYARD_BACKENDS_CUDA_FORMULA_KERNELS_H_

#include "switchyard/backends/cuda/formula.h"
#include "switchyard/ops/formulas/facts.h"

namespace sy::cuda {

// kOwn: F stands in the header itself.
template <class F, bool kOwn>
struct OwnKernel {};
template <class F>
struct OwnKernel<F, true> {
  FormulaKernel kernel{kFormula<F>, SY_FORMULA_HEADER};
};

}  // namespace sy::cuda

// At the first level of inclusion stand the formulas of the header itself.
#undef SY_EACH_FACTS
#define SY_EACH_FACTS(Type)                                                        \
  [[gnu::used]] static const ::sy::cuda::OwnKernel<Type, (__INCLUDE_LEVEL__ == 1)> \
      kernel_of_##Type{};

#endif  // SWITCHYARD_BACKENDS_CUDA_FORMULA_KERNELS_H_
