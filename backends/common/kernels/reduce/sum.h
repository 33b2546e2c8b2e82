// Sums, means and products: whole, and of dimensions.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_SUM_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_SUM_H_

#include <optional>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/backends/common/reduce_space.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy {

template <class E, class R>
void ReduceAll(Call call, const Tensor& out, const Tensor& self, Optional<DType>) {
  E::template Reduce<R>(call, call.dtype(), self, kAllDims, out);
}

template <class E>
struct SumKernels {
  static void Sum(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim,
                  bool, Optional<DType>) {
    E::template Reduce<f::Sum>(call, call.dtype(), self, DimMask(dim), out);
  }
  static void Mean(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim,
                   bool, Optional<DType>) {
    E::template Reduce<f::Sum>(call, call.dtype(), self, DimMask(dim), out, {ReduceFinish::kMean});
  }
  // Integers have no NaN: they are summed. So is nothing, in any dtype, as in ATen.
  static void Nansum(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim,
                     bool, Optional<DType>) {
    if (IsIntegral(self.dtype(), true) || self.numel() == 0)
      return E::template Reduce<f::Sum>(call, call.dtype(), self, DimMask(dim), out);
    if (!Contains(kFormula<f::NanSum>.dtypes(), call.dtype())) FailNansum(call);
    E::template Reduce<f::NanSum>(call, call.dtype(), self, DimMask(dim), out);
  }
  static void Prod(Call call, const Tensor& out, const Tensor& self, int64_t dim, bool,
                   Optional<DType>) {
    E::template Reduce<f::Prod>(call, call.dtype(), self, DimMask(dim), out);
  }

  Kernel sum{"sum", E::kDevice, kFormula<f::Sum>.dtypes(), ReduceAll<E, f::Sum>};
  Kernel sum_dim{"sum.dim_IntList", E::kDevice, kFormula<f::Sum>.dtypes(), Sum};
  Kernel mean_dim{"mean.dim", E::kDevice, kFloatingTypes | kComplexTypes, Mean};
  Kernel nansum{"nansum", E::kDevice, kFormula<f::Sum>.dtypes(), Nansum};
  Kernel prod{"prod", E::kDevice, kFormula<f::Prod>.dtypes(), ReduceAll<E, f::Prod>};
  Kernel prod_dim{"prod.dim_int", E::kDevice, kFormula<f::Prod>.dtypes(), Prod};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_SUM_H_
