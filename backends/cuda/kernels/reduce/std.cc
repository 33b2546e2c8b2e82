#include <optional>

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/reduce.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/formulas/trigonometric.h"

namespace sy::cuda {
namespace {

Reduction SpreadOf(bool root, const std::optional<Scalar>& correction) {
  constexpr Reduction kVariance{"Moments", "Variance"}, kDeviation{"Moments", "Deviation"};
  Reduction r = root ? kDeviation : kVariance;
  r.parameter = correction ? correction->To<double>() : 1;
  return r;
}
// The variances of real and imaginary parts add up.
void ComplexSpread(Call call, bool root, const Tensor& out, const Tensor& self, uint64_t mask,
                   const std::optional<Scalar>& correction) {
  const auto in = [&](DType d) { return Call{call.kernel, WithDType(call.key, d)}; };
  const DType complex = call.dtype() == DType::kComplex32 ? DType::kComplex64 : call.dtype(),
              real = RealType(complex);
  const Tensor part = Tensor::Empty(self.sizes(), real, self.device());
  const auto variance = [&](const FormulaDef& of) {
    RunFormula(in(complex), of, part, {&self});
    const Tensor v = Tensor::Empty(out.sizes(), DType::kFloat64, self.device());
    Reduce(call, SpreadOf(false, correction), real, part, mask, &v);
    return v;
  };
  const Tensor sum = variance(kFormula<f::RealPart>), other = variance(kFormula<f::ImaginaryPart>);
  RunFormula(in(DType::kFloat64), kFormula<f::Add>, root ? sum : out, {&sum, &other});
  if (root) RunFormula(in(DType::kFloat64), kFormula<f::Sqrt>, out, {&sum});
}
template <bool kRoot>
void Spread(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim,
            const std::optional<Scalar>& correction, bool) {
  const uint64_t mask = DimMask(dim);
  if (IsComplex(call.dtype())) return ComplexSpread(call, kRoot, out, self, mask, correction);
  Reduce(call, SpreadOf(kRoot, correction), call.dtype(), self, mask, &out);
}
template <bool kRoot>
void SpreadAndMean(Call call, const Tensor& out, const Tensor& mean, const Tensor& self,
                   std::optional<IntSpan> dim, const std::optional<Scalar>& correction,
                   bool keepdim) {
  if (IsComplex(call.dtype())) {
    Spread<kRoot>(call, out, self, dim, correction, keepdim);
    return Reduce(call, kMean, call.dtype(), self, DimMask(dim), &mean);
  }
  Reduce(call, SpreadOf(kRoot, correction), call.dtype(), self, DimMask(dim), &out, &mean);
}

const Kernel std_kernel{"std.correction", "cuda", kInexactTypes, Spread<true>};
const Kernel var{"var.correction", "cuda", kInexactTypes, Spread<false>};
const Kernel std_mean{"std_mean.correction", "cuda", kInexactTypes, SpreadAndMean<true>};
const Kernel var_mean{"var_mean.correction", "cuda", kInexactTypes, SpreadAndMean<false>};

}  // namespace
}  // namespace sy::cuda
