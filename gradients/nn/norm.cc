// Gradients of normalisations, by the operators that find those of input, weight and bias in one
// pass; where these are recorded, they are made of simpler ones, which can be differentiated again.
// The statistics that the operators give besides require no gradient.
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/gradients/refused.h"
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
                   IntSpan normalized, const Tensor& weight, const Tensor& bias, Unsaved,
                   Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(2), out.needs(3)};
  SetThree(
      native_layer_norm_backward(g.or_zeros(0), input, normalized, mean, rstd, weight, bias, mask),
      mask, {0, 2, 3}, out);
}
const Gradient layer_norm_grad{"native_layer_norm", Constant({1, 2}),
                               ForAll({"input", "weight", "bias"}, LayerNormGrad)};
Tensor LayerNorm(const Tensor& input, IntSpan normalized, const Tensor& weight, const Tensor& bias,
                 double eps, bool) {
  return std::get<0>(native_layer_norm(input, normalized, weight, bias, eps));
}
const Decomposition layer_norm_parts{"layer_norm", LayerNorm};

void GroupNormGrad(const Grad& g, Output<1> mean, Output<2> rstd, const Tensor& input,
                   const Tensor& weight, Unsaved, int64_t n, int64_t c, int64_t hxw, int64_t group,
                   Unsaved, Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(1), out.needs(2)};
  SetThree(
      native_group_norm_backward(g.or_zeros(0), input, mean, rstd, weight, n, c, hxw, group, mask),
      mask, {0, 1, 2}, out);
}
const Gradient group_norm_grad{"native_group_norm", Constant({1, 2}),
                               ForAll({"input", "weight", "bias"}, GroupNormGrad)};
Tensor GroupNorm(const Tensor& input, int64_t groups, const Tensor& weight, const Tensor& bias,
                 double eps, bool) {
  int64_t hxw = 1;
  for (int64_t d = 2; d < input.dim(); ++d) hxw *= input.size(d);
  return std::get<0>(native_group_norm(contiguous(input), weight, bias, input.size(0),
                                       input.size(1), hxw, groups, eps));
}
const Decomposition group_norm_parts{"group_norm", GroupNorm};

// x / √(mean x² + ε), by its steps, which are taken in float32 at least.
// These stand for the operator, whose shapes nothing has compared yet.
void RequireRmsShapes(const Tensor& input, IntSpan normalized, const Tensor& weight) {
  const size_t rank = input.sizes().size(), n = normalized.size();
  if (n == 0 || n > rank || !SameSizes(input.sizes().last(n), normalized)) {
    Fail(ErrorCode::kInvalidArgument, "rms_norm",
         {"input must end with the sizes ", normalized, ", got ", input.sizes()});
  }
  if (weight.defined() && !SameSizes(weight.sizes(), normalized)) {
    Fail(ErrorCode::kInvalidArgument, "rms_norm",
         {"weight must have the sizes of normalized_shape ", normalized, ", got ", weight.sizes()});
  }
}
Tensor RmsNorm(const Tensor& input, IntSpan normalized, const Tensor& weight,
               Optional<double> eps) {
  RequireRmsShapes(input, normalized, weight);
  std::vector<int64_t> dims;
  for (size_t i = 0; i < normalized.size(); ++i) dims.push_back(-1 - static_cast<int64_t>(i));
  const double least =
      eps ? *eps
          : (input.dtype() == DType::kFloat64 ? 2.220446049250313e-16 : 1.1920928955078125e-07);
  const bool half = input.dtype() == DType::kFloat16 || input.dtype() == DType::kBFloat16;
  const Tensor x = half ? to(input, DType::kFloat32) : input;
  const Tensor scaled = mul(x, rsqrt(add(mean(mul(x, x), dims, true), least)));
  return to(weight.defined() ? mul(scaled, weight) : scaled, input.dtype());
}
const Decomposition rms_norm_parts{"rms_norm", RmsNorm};

// Running statistics matter where they are what the input was normalized by. Training writes them.
void BatchNormGrad(const Grad& g, Output<1> mean, Output<2> invstd, const Tensor& input,
                   const Tensor& weight, Unsaved, const Tensor& running_mean,
                   const Tensor& running_var, bool training, Unsaved, double eps, Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(1), out.needs(2)};
  SetThree(native_batch_norm_backward(g.or_zeros(0), input, weight, running_mean, running_var, mean,
                                      invstd, training, eps, mask),
           mask, {0, 1, 2}, out);
}
const Gradient batch_norm_grad{"native_batch_norm", Constant({1, 2}),
                               ForAll({"input", "weight", "bias"}, BatchNormGrad)};
const Gradient legit_grad{"_native_batch_norm_legit", Constant({1, 2}),
                          ForAll({"input", "weight", "bias"}, BatchNormGrad)};
void NoStatsGrad(const Grad& g, Output<1> mean, Output<2> invstd, const Tensor& input,
                 const Tensor& weight, Unsaved, bool training, Unsaved, double eps,
                 Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(1), out.needs(2)};
  SetThree(native_batch_norm_backward(g.or_zeros(0), input, weight, Tensor(), Tensor(), mean,
                                      invstd, training, eps, mask),
           mask, {0, 1, 2}, out);
}
const Gradient no_stats_grad{"_native_batch_norm_legit.no_stats", Constant({1, 2}),
                             ForAll({"input", "weight", "bias"}, NoStatsGrad)};

// --- The backward operators, of simpler ones.

// Statistics that come with the call are taken for constants, which those with a history are not.
void RequireConstant(const char* op, const Tensor& statistics) {
  if (!statistics.defined() || !requires_grad(statistics)) return;
  Fail(ErrorCode::kNotImplemented, op, {"has no gradient for the statistics that it is given"});
}
// The mean of x over dims, and 1 / √(variance + ε) where ε is what gives `rstd`: as functions of x.
struct Statistics {
  Tensor mean, rstd;
};
Statistics StatisticsOf(const Tensor& x, const Tensor& rstd, IntSpan dims) {
  const Tensor m = mean(x, dims, true), away = sub(x, m);
  const Tensor variance = mean(mul(away, away), dims, true);
  const Tensor eps = sub(reciprocal(mul(rstd, rstd)), detach(variance));
  return {m, rsqrt(add(variance, eps))};
}
// Of (x - mean) rstd = y over dims.
Tensor Through(const Tensor& g, const Tensor& y, const Tensor& rstd, IntSpan dims) {
  const Tensor along = mul(y, mean(mul(g, y), dims, true));
  return mul(rstd, sub(sub(g, mean(g, dims, true)), along));
}
std::vector<int64_t> From(int64_t first, int64_t end) {
  std::vector<int64_t> dims;
  for (int64_t d = first; d < end; ++d) dims.push_back(d);
  return dims;
}
Tensor As(const Tensor& x, const Tensor& like) { return to(x, like.dtype()); }

using Three = std::tuple<Tensor, Tensor, Tensor>;

Three LayerNormBackward(const Tensor& grad, const Tensor& input, IntSpan normalized,
                        const Tensor& mean, const Tensor& rstd, const Tensor& weight,
                        const Tensor& bias, std::span<const bool> mask) {
  RequireConstant("native_layer_norm_backward", mean);
  RequireConstant("native_layer_norm_backward", rstd);
  const int64_t rank = input.dim(), first = rank - static_cast<int64_t>(normalized.size());
  const std::vector<int64_t> dims = From(first, rank), rows = From(0, first);
  const Tensor x = As(input, rstd), g = As(grad, rstd);
  const Statistics of = StatisticsOf(x, rstd, dims);
  const Tensor y = mul(sub(x, of.mean), of.rstd);
  const auto over_rows = [&](const Tensor& t) { return rows.empty() ? t : sum(t, rows); };
  Three all;
  if (mask[0]) {
    const Tensor scaled = weight.defined() ? mul(g, As(weight, rstd)) : g;
    std::get<0>(all) = As(Through(scaled, y, of.rstd, dims), input);
  }
  if (mask[1] && weight.defined()) std::get<1>(all) = As(over_rows(mul(g, y)), weight);
  if (mask[2] && bias.defined()) std::get<2>(all) = As(over_rows(g), bias);
  return all;
}
const Decomposition layer_norm_backward_parts{"native_layer_norm_backward", LayerNormBackward};

Three GroupNormBackward(const Tensor& grad, const Tensor& input, const Tensor& mean,
                        const Tensor& rstd, const Tensor& weight, int64_t n, int64_t c, int64_t hxw,
                        int64_t group, std::span<const bool> mask) {
  RequireFit(group > 0 && c >= 0 && c % group == 0 && hxw >= 0);
  RequireFit(rstd.numel() == n * group && mean.numel() == rstd.numel());
  RequireFit(SameSizes(grad.sizes(), input.sizes()) && grad.dtype() == input.dtype());
  RequireFit(weight.defined() ? SameSizes(weight.sizes(), {&c, 1}) : !mask[1] && !mask[2]);
  RequireConstant("native_group_norm_backward", mean);
  RequireConstant("native_group_norm_backward", rstd);
  const std::vector<int64_t> dims = {2}, others = {0, 2};
  const auto grouped = [&](const Tensor& t) {
    return reshape(As(t, rstd), {n, group, c / group * hxw});
  };
  const auto by_channel = [&](const Tensor& t) { return reshape(t, {n, c, hxw}); };
  const Tensor x = grouped(input), g = grouped(grad);
  const Statistics of = StatisticsOf(x, unsqueeze(rstd, -1), dims);
  const Tensor y = mul(sub(x, of.mean), of.rstd);
  Three all;
  if (mask[0]) {
    Tensor scaled = g;
    if (weight.defined()) {
      const Tensor w = reshape(As(weight, rstd), {1, c, 1});
      scaled = reshape(mul(by_channel(g), w), {n, group, c / group * hxw});
    }
    std::get<0>(all) = As(reshape(Through(scaled, y, of.rstd, dims), input.sizes()), input);
  }
  const Tensor& one_of = weight.defined() ? weight : input;
  if (mask[1]) std::get<1>(all) = As(sum(by_channel(mul(g, y)), others), one_of);
  if (mask[2]) std::get<2>(all) = As(sum(by_channel(g), others), one_of);
  return all;
}
const Decomposition group_norm_backward_parts{"native_group_norm_backward", GroupNormBackward};

Three BatchNormBackward(const Tensor& grad, const Tensor& input, const Tensor& weight,
                        const Tensor& running_mean, const Tensor& running_var,
                        const Tensor& save_mean, const Tensor& save_invstd, bool train, double eps,
                        std::span<const bool> mask) {
  for (const Tensor* t : {&running_mean, &running_var, &save_mean, &save_invstd}) {
    RequireConstant("native_batch_norm_backward", *t);
  }
  const Tensor& kept = train ? save_invstd : running_var;
  std::vector<int64_t> dims = From(2, input.dim());
  dims.insert(dims.begin(), 0);
  std::vector<int64_t> channel(static_cast<size_t>(input.dim()), 1);
  channel[1] = -1;
  const auto by_channel = [&](const Tensor& t) { return reshape(As(t, kept), channel); };
  const Tensor x = As(input, kept), g = As(grad, kept);
  const Statistics of =
      train ? StatisticsOf(x, by_channel(save_invstd), dims)
            : Statistics{by_channel(running_mean), rsqrt(add(by_channel(running_var), eps))};
  const Tensor y = mul(sub(x, of.mean), of.rstd);
  Three all;
  if (mask[0]) {
    const Tensor scaled = weight.defined() ? mul(g, by_channel(weight)) : g;
    std::get<0>(all) = As(train ? Through(scaled, y, of.rstd, dims) : mul(scaled, of.rstd), input);
  }
  const Tensor& one_of = weight.defined() ? weight : kept;
  if (mask[1]) std::get<1>(all) = As(sum(mul(g, y), dims), one_of);
  if (mask[2]) std::get<2>(all) = As(sum(g, dims), one_of);
  return all;
}
const Decomposition batch_norm_backward_parts{"native_batch_norm_backward", BatchNormBackward};

}  // namespace
}  // namespace sy
