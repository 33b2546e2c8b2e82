// std, var, and both with the mean. The variances of real and imaginary parts add up.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_STD_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_STD_H_

#include <optional>

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/backends/common/reduce_space.h"
#include "switchyard/core/view_as.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy {

template <class E>
struct StdKernels {
  static ReduceFinish FinishOf(bool root, const std::optional<Scalar>& correction) {
    return {root ? ReduceFinish::kDeviation : ReduceFinish::kVariance,
            correction ? correction->To<double>() : 1};
  }
  // In which complex numbers are reduced: complex32 has no sums of its own.
  static DType WideComplex(const Call& call) {
    return call.dtype() == DType::kComplex128 ? DType::kComplex128 : DType::kComplex64;
  }
  static void OfComplex(Call call, bool root, const Tensor& out, const Tensor& self, uint64_t mask,
                        const std::optional<Scalar>& correction) {
    const auto in = [&](DType d) { return Call{call.kernel, WithDType(call.key, d)}; };
    const DType real = RealType(WideComplex(call));
    const auto variance = [&](int part) {
      const Tensor v = Tensor::Empty(out.sizes(), DType::kFloat64, self.device());
      E::template Reduce<f::Moments>(call, real, PartOf(self, part), mask, v,
                                     FinishOf(false, correction));
      return v;
    };
    const Tensor sum = variance(0);
    Compute<E, f::Add>(in(DType::kFloat64), root ? sum : out, sum, variance(1));
    if (root) Compute<E, f::Sqrt>(in(DType::kFloat64), out, sum);
  }

  template <bool kRoot>
  static void Spread(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim,
                     const std::optional<Scalar>& correction, bool) {
    const uint64_t mask = DimMask(dim);
    if (IsComplex(call.dtype())) return OfComplex(call, kRoot, out, self, mask, correction);
    E::template Reduce<f::Moments>(call, call.dtype(), self, mask, out,
                                   FinishOf(kRoot, correction));
  }
  template <bool kRoot>
  static void SpreadAndMean(Call call, const Tensor& out, const Tensor& mean, const Tensor& self,
                            std::optional<IntSpan> dim, const std::optional<Scalar>& correction,
                            bool keepdim) {
    if (!IsComplex(call.dtype()))
      return E::template ReduceBoth<f::Moments>(call, call.dtype(), self, DimMask(dim), out, mean,
                                                FinishOf(kRoot, correction));
    Spread<kRoot>(call, out, self, dim, correction, keepdim);
    E::template Reduce<f::Sum>(call, WideComplex(call), self, DimMask(dim), mean,
                               {ReduceFinish::kMean});
  }

  Kernel std{"std.correction", E::kDevice, kInexactTypes, Spread<true>};
  Kernel var{"var.correction", E::kDevice, kInexactTypes, Spread<false>};
  Kernel std_mean{"std_mean.correction", E::kDevice, kInexactTypes, SpreadAndMean<true>};
  Kernel var_mean{"var_mean.correction", E::kDevice, kInexactTypes, SpreadAndMean<false>};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_STD_H_
