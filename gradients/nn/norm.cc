// Gradients of normalisations, by the operators that find those of input, weight and bias in one
// pass.
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void SetThree(std::tuple<Tensor, Tensor, Tensor> all, const bool (&mask)[3],
              const size_t (&positions)[3], Gradients& out) {
  if (mask[0]) out.Set(positions[0], std::move(std::get<0>(all)));
  if (mask[1]) out.Set(positions[1], std::move(std::get<1>(all)));
  if (mask[2]) out.Set(positions[2], std::move(std::get<2>(all)));
}

void LayerNormGrad(const Grad& g, Output<1> mean, Output<2> rstd, const Tensor& input,
                   IntSpan normalized, const Tensor& weight, const Tensor& bias, double,
                   Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(2), out.needs(3)};
  SetThree(
      native_layer_norm_backward(g.or_zeros(0), input, normalized, mean, rstd, weight, bias, mask),
      mask, {0, 2, 3}, out);
}
const Gradient layer_norm_grad{"native_layer_norm",
                               ForAll({"input", "weight", "bias"}, LayerNormGrad)};
Tensor LayerNorm(const Tensor& input, IntSpan normalized, const Tensor& weight, const Tensor& bias,
                 double eps, bool) {
  return std::get<0>(native_layer_norm(input, normalized, weight, bias, eps));
}
const Decomposition layer_norm_parts{"layer_norm", LayerNorm};

void GroupNormGrad(const Grad& g, Output<1> mean, Output<2> rstd, const Tensor& input,
                   const Tensor& weight, Unsaved, int64_t n, int64_t c, int64_t hxw, int64_t group,
                   double, Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(1), out.needs(2)};
  SetThree(
      native_group_norm_backward(g.or_zeros(0), input, mean, rstd, weight, n, c, hxw, group, mask),
      mask, {0, 1, 2}, out);
}
const Gradient group_norm_grad{"native_group_norm",
                               ForAll({"input", "weight", "bias"}, GroupNormGrad)};
Tensor GroupNorm(const Tensor& input, int64_t groups, const Tensor& weight, const Tensor& bias,
                 double eps, bool) {
  int64_t hxw = 1;
  for (int64_t d = 2; d < input.dim(); ++d) hxw *= input.size(d);
  return std::get<0>(native_group_norm(contiguous(input), weight, bias, input.size(0),
                                       input.size(1), hxw, groups, eps));
}
const Decomposition group_norm_parts{"group_norm", GroupNorm};

// x / √(mean x² + ε), by its steps.
Tensor RmsNorm(const Tensor& input, IntSpan normalized, const Tensor& weight,
               Optional<double> eps) {
  std::vector<int64_t> dims;
  for (size_t i = 0; i < normalized.size(); ++i) dims.push_back(-1 - static_cast<int64_t>(i));
  const double least =
      eps ? *eps
          : (input.dtype() == DType::kFloat64 ? 2.220446049250313e-16 : 1.1920928955078125e-07);
  const Tensor scaled = mul(input, rsqrt(add(mean(mul(input, input), dims, true), least)));
  return weight.defined() ? mul(scaled, weight) : scaled;
}
const Decomposition rms_norm_parts{"rms_norm", RmsNorm};

void BatchNormGrad(const Grad& g, Output<1> mean, Output<2> invstd, const Tensor& input,
                   const Tensor& weight, Unsaved, const Tensor& running_mean,
                   const Tensor& running_var, bool training, double, double eps, Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(1), out.needs(2)};
  SetThree(native_batch_norm_backward(g.or_zeros(0), input, weight, running_mean, running_var, mean,
                                      invstd, training, eps, mask),
           mask, {0, 1, 2}, out);
}
const Gradient batch_norm_grad{"native_batch_norm",
                               ForAll({"input", "weight", "bias"}, BatchNormGrad)};
void NoStatsGrad(const Grad& g, Output<1> mean, Output<2> invstd, const Tensor& input,
                 const Tensor& weight, Unsaved, bool training, double, double eps, Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(1), out.needs(2)};
  SetThree(native_batch_norm_backward(g.or_zeros(0), input, weight, Tensor(), Tensor(), mean,
                                      invstd, training, eps, mask),
           mask, {0, 1, 2}, out);
}
const Gradient no_stats_grad{"_native_batch_norm_legit.no_stats",
                             ForAll({"input", "weight", "bias"}, NoStatsGrad)};

}  // namespace
}  // namespace sy
