// Rules of neural networks' operators: samples of all examples are samples of one batch; where
// parameters have a batch, channels of all examples are groups.
#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "switchyard/dispatcher/call.h"
#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;

// [B, n, …] ↔ [B · n, …].
Tensor Folded(const Tensor& value) { return flatten(value, 0, 1); }
Tensor Unfolded(const BatchCall& c, const Tensor& t, int64_t n) {
  return unflatten(t, 0, {c.batch_size(), n});
}

// --- Windows over images: `rank` dimensions of an example of one sample, one more of several.
template <int rank>
void Samples(BatchCall& c) {
  const bool one = c.rank(0) == rank;
  if (!one && c.rank(0) != rank + 1) return BatchLoop(c);  // its error
  NewArgs args(c);
  const int64_t n = one ? 1 : c.args[0].tensor().size(0);
  for (size_t i = 0; i < c.args.size(); ++i) {
    const Value& v = c.args[i];
    if (v.tag == Tag::kTensor) {
      if (c.rank(i) != c.rank(0)) return BatchLoop(c);
      args.Set(i, one ? c.expanded(i) : Folded(c.expanded(i)));
    } else if (v.tag == Tag::kIntList && c.op.schema().arguments[i].name == "input_size") {
      std::vector<int64_t> sizes(v.list<int64_t>().begin(), v.list<int64_t>().end());
      if (!sizes.empty()) sizes[0] *= c.batch_size();
      args.Set(i, std::move(sizes));
    }
  }
  Result made[kMaxResults];
  CallBoxed(c.op, args, {made, c.op.num_results});
  for (size_t k = 0; k < c.results().size(); ++k) {
    if (made[k].value().tag != Tag::kTensor) continue;
    c.Set(k, one ? made[k].tensor() : Unfolded(c, made[k].tensor(), n));
  }
}
const Batching of_lines{
    {"adaptive_avg_pool1d", "adaptive_max_pool1d", "avg_pool1d", "max_pool1d",
     "max_pool1d_with_indices", "reflection_pad1d", "reflection_pad1d_backward",
     "replication_pad1d", "replication_pad1d_backward", "upsample_linear1d",
     "upsample_linear1d_backward", "upsample_nearest1d", "upsample_nearest1d_backward",
     "_upsample_nearest_exact1d", "_upsample_nearest_exact1d_backward", "col2im"},
    Samples<2>};
const Batching of_planes{{"_adaptive_avg_pool2d",
                          "_adaptive_avg_pool2d_backward",
                          "adaptive_avg_pool2d",
                          "adaptive_max_pool2d",
                          "adaptive_max_pool2d_backward",
                          "avg_pool2d",
                          "avg_pool2d_backward",
                          "fractional_max_pool2d_backward",
                          "max_pool2d",
                          "max_pool2d_backward",
                          "max_pool2d_with_indices",
                          "max_pool2d_with_indices_backward",
                          "max_unpool2d",
                          "grid_sampler_2d",
                          "grid_sampler_2d_backward",
                          "im2col",
                          "reflection_pad2d",
                          "reflection_pad2d_backward",
                          "replication_pad2d",
                          "replication_pad2d_backward",
                          "upsample_bicubic2d",
                          "upsample_bicubic2d_backward",
                          "upsample_bilinear2d",
                          "upsample_bilinear2d_backward",
                          "upsample_nearest2d",
                          "upsample_nearest2d_backward",
                          "_upsample_nearest_exact2d",
                          "_upsample_nearest_exact2d_backward",
                          "_upsample_bicubic2d_aa",
                          "_upsample_bicubic2d_aa_backward",
                          "_upsample_bilinear2d_aa",
                          "_upsample_bilinear2d_aa_backward"},
                         Samples<3>};
const Batching of_volumes{{"_adaptive_avg_pool3d",
                           "_adaptive_avg_pool3d_backward",
                           "adaptive_avg_pool3d",
                           "adaptive_max_pool3d",
                           "adaptive_max_pool3d_backward",
                           "avg_pool3d",
                           "avg_pool3d_backward",
                           "fractional_max_pool3d_backward",
                           "max_pool3d",
                           "max_pool3d_with_indices",
                           "max_pool3d_with_indices_backward",
                           "max_unpool3d",
                           "grid_sampler_3d",
                           "grid_sampler_3d_backward",
                           "reflection_pad3d",
                           "reflection_pad3d_backward",
                           "replication_pad3d",
                           "replication_pad3d_backward",
                           "upsample_nearest3d",
                           "upsample_nearest3d_backward",
                           "upsample_trilinear3d",
                           "upsample_trilinear3d_backward",
                           "_upsample_nearest_exact3d",
                           "_upsample_nearest_exact3d_backward"},
                          Samples<4>};

// The numbers that say where regions begin have a sample in any case.
template <int rank>
void FractionalPool(BatchCall& c) {
  const bool one = c.rank(0) == rank;
  if ((!one && c.rank(0) != rank + 1) || c.rank(3) != 3) return BatchLoop(c);  // its error
  NewArgs args(c);
  args.Set(0, one ? c.expanded(0) : Folded(c.expanded(0)));
  const int64_t n = one ? 1 : c.args[0].tensor().size(0);
  if (c.args[3].tensor().size(0) < n) return BatchLoop(c);  // its error
  args.Set(3, Folded(narrow(c.expanded(3), 1, 0, n)));
  Result made[2];
  CallBoxed(c.op, args, made);
  for (size_t k = 0; k < 2; ++k) {
    const Tensor& all = made[k].tensor();
    c.Set(k, one ? all : Unfolded(c, all, n));
  }
}
const Batching fractional_planes{"fractional_max_pool2d", FractionalPool<3>};
const Batching fractional_volumes{"fractional_max_pool3d", FractionalPool<4>};

// --- Convolutions.

void Convolution(BatchCall& c) {
  const Tensor& bias = c.args[2].tensor();
  NewArgs args(c);
  const bool add_bias = bias.defined() && (c.batched(2) || c.batched(1));
  if (add_bias) args[2] = Value();
  Tensor out;
  Result made[1];
  if (!c.batched(1)) {
    const Tensor input = c.expanded(0);
    args.Set(0, Folded(input));
    CallBoxed(c.op, args, made);
    out = Unfolded(c, made[0].tensor(), input.size(1));
  } else {
    // Examples are groups: [n, B · channels, …] with [B · outputs, …].
    args.Set(0, flatten(movedim(c.expanded(0), 0, 1), 1, 2));
    args.Set(1, Folded(c.value(1)));
    args.Set(8, c.args[8].i * c.batch_size());
    CallBoxed(c.op, args, made);
    const Tensor& all = made[0].tensor();
    const int64_t channels = all.size(1) / std::max<int64_t>(c.batch_size(), 1);
    out = movedim(unflatten(all, 1, {c.batch_size(), channels}), 1, 0);
  }
  if (add_bias) {
    std::vector<int64_t> sizes = {c.batch_size(), 1, bias.size(0)};
    sizes.resize(static_cast<size_t>(out.dim()), 1);
    out = add(out, view(contiguous(c.expanded(2)), sizes));
  }
  c.Set(0, out);
}
const Batching convolution_rule{"convolution", Convolution};

// [time, n, channels], weight [width, channels, outputs]: a convolution of lines.
Tensor Line(const Tensor& t) { return permute(t, {1, 2, 0}); }
Tensor TimeFirst(const Tensor& t) { return permute(t, {2, 0, 1}); }
Tensor LineWeight(const Tensor& t) { return permute(t, {2, 1, 0}); }
constexpr int64_t kOne = 1, kZero = 0;
constexpr IntSpan kOnes(&kOne, 1), kZeros(&kZero, 1);

Tensor ConvTbc(const Tensor& x, const Tensor& weight, const Tensor& bias, int64_t pad) {
  return TimeFirst(convolution(Line(x), LineWeight(weight), bias, kOnes, IntSpan(&pad, 1), kOnes,
                               false, kZeros, 1));
}
const Batching conv_tbc_rule{"conv_tbc", Decomposed(ConvTbc)};
ThreeTensors ConvTbcBackward(const Tensor& g, const Tensor& x, const Tensor& weight,
                             const Tensor& bias, int64_t pad) {
  constexpr bool kAll[] = {true, true, true};
  const auto [of_x, of_weight, of_bias] =
      convolution_backward(Line(g), Line(x), LineWeight(weight), bias.sizes(), kOnes,
                           IntSpan(&pad, 1), kOnes, false, kZeros, 1, kAll);
  return {TimeFirst(of_x), LineWeight(of_weight), of_bias};
}
const Batching conv_tbc_backward_rule{"conv_tbc_backward", Decomposed(ConvTbcBackward)};

// --- Norms.

Tensor Scaled(Tensor y, const Tensor& weight, const Tensor& bias) {
  if (weight.defined()) y = mul(y, weight);
  return bias.defined() ? add(y, bias) : y;
}
// [channels] beside [n, channels, …].
Tensor OfChannels(const Tensor& t, int64_t rank) {
  if (!t.defined()) return t;
  std::vector<int64_t> sizes(static_cast<size_t>(rank), 1);
  sizes[1] = t.numel();
  return reshape(t, sizes);
}

// Over an example's last dimensions; the first arguments are input, sizes, weight and bias.
template <bool has_bias>
void RowNorm(BatchCall& c) {
  const bool parameters = c.batched(2) || (has_bias && c.batched(3));
  const Tensor &weight = c.args[2].tensor(), &bias = has_bias ? c.args[3].tensor() : weight;
  NewArgs args(c);
  args.Set(0, c.expanded(0));
  if (parameters) {
    args[2] = Value();
    if (has_bias) args[3] = Value();
  }
  c.Call(args);
  if (!parameters) return;
  const Tensor y = c.value(c.results()[0].tensor());
  const auto lined_up = [&](const Tensor& t) {
    return t.defined() && c.batched(t) ? WithRank(c.value(t), y.dim() - 1) : t;
  };
  c.Set(0, Scaled(y, lined_up(weight), has_bias ? lined_up(bias) : Tensor()));
}
const Batching layer_norm_rule{{"layer_norm", "native_layer_norm"}, RowNorm<true>};
const Batching rms_norm_rule{"rms_norm", RowNorm<false>};

std::vector<int64_t> Range(int64_t from, int64_t to) {
  std::vector<int64_t> all;
  for (int64_t d = from; d < to; ++d) all.push_back(d);
  return all;
}

// The gradient of (x - mean) · rstd over `dims`, through mean and rstd too.
Tensor NormGrad(const Tensor& g, const Tensor& normed, const Tensor& rstd, IntSpan dims) {
  const Tensor along = mul(normed, mean(mul(g, normed), dims, true));
  return mul(rstd, sub(sub(g, mean(g, dims, true)), along));
}
// (x - mean) · rstd, as a function of x; rstd as well. What was kept of forward has no history and
// no tangent: its values count, and how they follow x.
struct Normed {
  Tensor y, rstd;
};
Normed NormedOf(const Tensor& x, const Tensor& kept_mean, const Tensor& kept_rstd, IntSpan dims) {
  const Tensor of_x = mean(x, dims, true), centred = sub(x, of_x);
  const Tensor variance = mean(mul(centred, centred), dims, true);
  const Tensor eps = sub(reciprocal(mul(kept_rstd, kept_rstd)), detach(variance));
  const Tensor rstd = mul(rsqrt(add(variance, eps)), sgn(kept_rstd));
  return {mul(sub(x, add(kept_mean, sub(of_x, detach(of_x)))), rstd), rstd};
}
Tensor Masked(bool wanted, const Tensor& t, DType dtype) {
  return wanted && t.defined() ? to(t, dtype) : Tensor();
}

ThreeTensors LayerNormBackward(const Tensor& g, const Tensor& x, IntSpan normalized,
                               const Tensor& mean, const Tensor& kept, const Tensor& weight,
                               const Tensor&, std::span<const bool> mask) {
  const int64_t first = x.dim() - static_cast<int64_t>(normalized.size());
  const auto [normed, rstd] = NormedOf(to(x, kept.dtype()), mean, kept, Range(first, x.dim()));
  const std::vector<int64_t> outer = Range(0, first);
  const auto summed = [&](const Tensor& t) { return outer.empty() ? t : sum(t, outer); };
  const Tensor scaled = weight.defined() ? mul(g, weight) : g;
  return {Masked(mask[0], NormGrad(scaled, normed, rstd, Range(first, x.dim())), x.dtype()),
          Masked(mask[1] && weight.defined(), summed(mul(g, normed)), x.dtype()),
          Masked(mask[2], summed(g), x.dtype())};
}
const Batching layer_norm_backward_rule{"native_layer_norm_backward",
                                        Decomposed(LayerNormBackward)};

// weight: its position, bias behind it; samples: position of their number, or 0.
template <int weight, int samples>
void GroupNorm(BatchCall& c) {
  const bool parameters = c.batched(weight) || c.batched(weight + 1);
  const Tensor input = c.expanded(0);
  NewArgs args(c);
  args.Set(0, contiguous(Folded(input)));
  if (samples != 0) args.Set(samples, c.args[samples].i * c.batch_size());
  if (parameters) args[weight] = args[weight + 1] = Value();
  Result made[kMaxResults];
  CallBoxed(c.op, args, {made, c.op.num_results});
  for (size_t k = 0; k < c.results().size(); ++k) {
    Tensor y = Unfolded(c, made[k].tensor(), input.size(1));
    if (k == 0 && parameters) {
      const auto lined_up = [&](const Tensor& t) {
        if (!t.defined()) return t;
        std::vector<int64_t> sizes(static_cast<size_t>(y.dim()), 1);
        sizes[0] = c.batch_size();
        sizes[2] = t.numel();
        return reshape(c.expanded(t), sizes);
      };
      y = Scaled(y, lined_up(c.args[weight].tensor()), lined_up(c.args[weight + 1].tensor()));
    }
    c.Set(k, y);
  }
}
const Batching native_group_norm_rule{"native_group_norm", GroupNorm<1, 3>};
const Batching group_norm_rule{"group_norm", GroupNorm<2, 0>};

ThreeTensors GroupNormBackward(const Tensor& g, const Tensor& x, const Tensor& mean,
                               const Tensor& kept, const Tensor& weight, int64_t n,
                               int64_t channels, int64_t places, int64_t groups,
                               std::span<const bool> mask) {
  const auto in_groups = [&](const Tensor& t) {
    return reshape(t, {n, groups, channels / groups * places});
  };
  const Tensor by_channel = reshape(g, {n, channels, places});
  const auto [normed, r] = NormedOf(to(in_groups(x), kept.dtype()), unsqueeze(mean, -1),
                                    unsqueeze(kept, -1), std::array<int64_t, 1>{2});
  const Tensor scaled =
      weight.defined() ? mul(by_channel, reshape(weight, {1, channels, 1})) : by_channel;
  const Tensor of_input = NormGrad(in_groups(scaled), normed, r, std::array<int64_t, 1>{2});
  const std::vector<int64_t> others = {0, 2};
  const Tensor products = mul(by_channel, reshape(normed, {n, channels, places}));
  return {Masked(mask[0], reshape(of_input, x.sizes()), x.dtype()),
          Masked(mask[1], sum(products, others), x.dtype()),
          Masked(mask[2], sum(by_channel, others), x.dtype())};
}
const Batching group_norm_backward_rule{"native_group_norm_backward",
                                        Decomposed(GroupNormBackward)};

// All dimensions but that of the channels.
std::vector<int64_t> NotChannels(int64_t rank) {
  std::vector<int64_t> dims = {0};
  for (int64_t d = 2; d < rank; ++d) dims.push_back(d);
  return dims;
}

struct Normalized {
  Tensor y, mean, rstd;
  Tensor running_mean, running_var;  // as they are afterwards; undefined where none are kept
};
Normalized Normalize(const Tensor& input, const Tensor& weight, const Tensor& bias,
                     const Tensor& running_mean, const Tensor& running_var, bool training,
                     double momentum, double eps) {
  const std::vector<int64_t> dims = NotChannels(input.dim());
  // In the dtype of the statistics, where they are kept.
  const Tensor x = running_mean.defined() ? to(input, running_mean.dtype()) : input;
  Tensor m = running_mean, r, new_mean = running_mean, new_var = running_var;
  if (training) {
    m = mean(x, dims);
    const Tensor v = var(x, dims, Scalar(0));
    r = rsqrt(add(v, eps));
    if (running_mean.defined())
      new_mean = lerp(running_mean, to(m, running_mean.dtype()), momentum);
    if (running_var.defined()) {
      const double n = static_cast<double>(x.numel()) / static_cast<double>(x.size(1));
      new_var = lerp(running_var, to(mul(v, n / (n - 1)), running_var.dtype()), momentum);
    }
  } else {
    r = rsqrt(add(running_var, eps));
  }
  const auto wide = [&](const Tensor& t) { return OfChannels(t, x.dim()); };
  const Tensor y =
      to(Scaled(mul(sub(x, wide(m)), wide(r)), wide(weight), wide(bias)), input.dtype());
  if (training) return {y, m, r, new_mean, new_var};
  const Tensor none = new_empty(m, {0});
  return {y, none, none, new_mean, new_var};
}
ThreeTensors BatchNorm(const Tensor& input, const Tensor& weight, const Tensor& bias,
                       const Tensor& running_mean, const Tensor& running_var, bool training,
                       double momentum, double eps) {
  const Normalized n =
      Normalize(input, weight, bias, running_mean, running_var, training, momentum, eps);
  if (training && running_mean.defined()) copy_(running_mean, n.running_mean);
  if (training && running_var.defined()) copy_(running_var, n.running_var);
  return {n.y, n.mean, n.rstd};
}
ThreeTensors BatchNormNoStats(const Tensor& x, const Tensor& weight, const Tensor& bias,
                              bool training, double momentum, double eps) {
  return BatchNorm(x, weight, bias, Tensor(), Tensor(), training, momentum, eps);
}
const Batching batch_norm_rule{{"native_batch_norm", "_native_batch_norm_legit"},
                               Decomposed(BatchNorm)};
const Batching no_stats_rule{"_native_batch_norm_legit.no_stats", Decomposed(BatchNormNoStats)};

using FiveTensors = std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>;
FiveTensors BatchNormFunctional(const Tensor& input, const Tensor& weight, const Tensor& bias,
                                const Tensor& running_mean, const Tensor& running_var,
                                bool training, double momentum, double eps) {
  const Normalized n =
      Normalize(input, weight, bias, running_mean, running_var, training, momentum, eps);
  const auto own = [&](const Tensor& t) { return training ? t : clone(t); };
  return {n.y, n.mean, n.rstd, own(n.running_mean), own(n.running_var)};
}
ThreeTensors BatchNormNoTraining(const Tensor& input, const Tensor& weight, const Tensor& bias,
                                 const Tensor& running_mean, const Tensor& running_var,
                                 double momentum, double eps) {
  return BatchNorm(input, weight, bias, running_mean, running_var, false, momentum, eps);
}
// What cudnn would keep for the gradient.
Tensor NoReserve(const Tensor& like) { return new_empty(like, {0}, DType::kUInt8); }
std::tuple<Tensor, Tensor, Tensor, Tensor> BatchNormNoUpdate(
    const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
    const Tensor& running_var, double momentum, double eps) {
  if (!running_mean.defined() || !running_var.defined()) {
    Fail(ErrorCode::kInvalidArgument, "_batch_norm_no_update",
         {"running_mean and running_var must be given"});
  }
  const auto [y, m, r] =
      BatchNorm(input, weight, bias, running_mean, running_var, false, momentum, eps);
  return {y, m, r, NoReserve(input)};
}
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> BatchNormUpdated(
    const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
    const Tensor& running_var, double momentum, double eps) {
  const Normalized n =
      Normalize(input, weight, bias, running_mean, running_var, true, momentum, eps);
  return {n.y, n.mean, n.rstd, NoReserve(input), n.running_mean, n.running_var};
}
const Batching functional_rule{"_native_batch_norm_legit_functional",
                               Decomposed(BatchNormFunctional)};
const Batching no_training_rule{"_native_batch_norm_legit_no_training",
                                Decomposed(BatchNormNoTraining)};
const Batching no_update_rule{"_batch_norm_no_update", Decomposed(BatchNormNoUpdate)};
const Batching updated_rule{"_batch_norm_with_update_functional", Decomposed(BatchNormUpdated)};

ThreeTensors BatchNormBackward(const Tensor& g, const Tensor& x, const Tensor& weight,
                               const Tensor& running_mean, const Tensor& running_var,
                               const Tensor& saved_mean, const Tensor& saved_rstd, bool train,
                               double eps, std::span<const bool> mask) {
  const std::vector<int64_t> dims = NotChannels(x.dim());
  const auto wide = [&](const Tensor& t) { return OfChannels(t, x.dim()); };
  const Tensor r = wide(train ? saved_rstd : rsqrt(add(running_var, eps)));
  const Tensor normed = mul(sub(x, wide(train ? saved_mean : running_mean)), r);
  const Tensor scaled = weight.defined() ? mul(g, wide(weight)) : g;
  const Tensor of_input = train ? NormGrad(scaled, normed, r, dims) : mul(scaled, r);
  return {Masked(mask[0], of_input, x.dtype()),
          Masked(mask[1], sum(mul(g, normed), dims), x.dtype()),
          Masked(mask[2], sum(g, dims), x.dtype())};
}
const Batching batch_norm_backward_rule{"native_batch_norm_backward",
                                        Decomposed(BatchNormBackward)};

// --- Losses. reduction: 0 none, 1 mean, 2 sum.

constexpr int64_t kMean = 1;

// Element by element; losses want equal sizes.
void Each(BatchCall& c, size_t reduction, int64_t how) {
  NewArgs args(c);
  int64_t rank = 0;
  for (const Value& v : c.args) {
    if (v.tag == Tag::kTensor) rank = std::max(rank, v.tensor().dim());
  }
  for (size_t i = 0; i < c.args.size(); ++i) {
    if (c.args[i].tag == Tag::kTensor) args.Set(i, WithRank(c.expanded(i), rank));
  }
  args.Set(reduction, how);
  c.Call(args);
}

// Element by element, then reduced over an example.
void Loss(BatchCall& c) {
  const auto at = static_cast<size_t>(c.op.schema().Find("reduction"));
  const int64_t reduction = c.args[at].i;
  Each(c, at, 0);
  if (reduction == 0) return;
  const Tensor all = c.value(c.results()[0].tensor());
  const std::vector<int64_t> dims = Range(1, all.dim());
  if (dims.empty()) return;
  c.Set(0, reduction == kMean ? mean(all, dims) : sum(all, dims));
}
const Batching loss_rule{{"mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy"},
                         Loss};

// The mean is one over an example, whatever a batch has.
void LossBackward(BatchCall& c) {
  const auto at = static_cast<size_t>(c.op.schema().Find("reduction"));
  const auto count = static_cast<double>(
      std::max<int64_t>({c.args[1].tensor().numel(), c.args[2].tensor().numel(), int64_t{1}}));
  Each(c, at, 2);
  if (c.args[at].i == kMean) c.Set(0, div(c.value(c.results()[0].tensor()), count));
}
const Batching loss_backward_rule{
    {"mse_loss_backward", "smooth_l1_loss_backward", "huber_loss_backward",
     "binary_cross_entropy_backward", "soft_margin_loss_backward"},
    LossBackward};

// What each target is worth, and where it is looked up.
struct Targets {
  int64_t classes;  // their dimension
  Tensor at, weight;
};
Targets TargetsOf(const Tensor& x, const Tensor& target, const Tensor& weight, int64_t ignored) {
  Targets t;
  t.classes = x.dim() == 1 ? 0 : 1;
  const Tensor counts = ne(target, ignored);
  const Tensor safe = mul(target, counts);
  t.weight = weight.defined() ? mul(take(weight, safe), counts) : to(counts, x.dtype());
  t.at = unsqueeze(safe, t.classes);
  return t;
}
std::tuple<Tensor, Tensor> NllForward(const Tensor& x, const Tensor& target, const Tensor& weight,
                                      int64_t reduction, int64_t ignored) {
  const Targets t = TargetsOf(x, target, weight, ignored);
  const Tensor losses = neg(mul(squeeze(gather(x, t.classes, t.at), t.classes), t.weight));
  if (reduction == 0) return {losses, new_zeros(x, {})};
  const Tensor total = sum(t.weight);
  return {reduction == kMean ? div(sum(losses), total) : sum(losses), total};
}
Tensor NllBackward(const Tensor& g, const Tensor& x, const Tensor& target, const Tensor& weight,
                   int64_t reduction, int64_t ignored, const Tensor& total) {
  const Targets t = TargetsOf(x, target, weight, ignored);
  const Tensor each = neg(mul(reduction == kMean ? div(g, total) : g, t.weight));
  return scatter(zeros_like(x), t.classes, t.at, unsqueeze(each, t.classes));
}
const Batching nll_rule{{"nll_loss_forward", "nll_loss2d_forward"}, Decomposed(NllForward)};
const Batching nll_backward_rule{{"nll_loss_backward", "nll_loss2d_backward"},
                                 Decomposed(NllBackward)};

// --- Attention: [n, heads, length, width] each.
// tensors: how many there are in front.
template <size_t tensors>
void Attention(BatchCall& c) {
  NewArgs args(c);
  const int64_t n = c.args[0].tensor().size(0);
  for (size_t i = 0; i < tensors; ++i) args.Set(i, Folded(c.expanded(i)));
  const auto at = static_cast<size_t>(c.op.schema().Find("attn_mask"));
  if (const Tensor& mask = c.args[at].tensor(); mask.defined()) {
    const Tensor wide = WithRank(c.expanded(at), 4);
    std::vector<int64_t> sizes(wide.sizes().begin(), wide.sizes().end());
    sizes[1] = n;
    args.Set(at, Folded(expand(wide, sizes)));
  }
  Result made[kMaxResults];
  CallBoxed(c.op, args, {made, c.op.num_results});
  for (size_t k = 0; k < c.results().size(); ++k) c.Set(k, Unfolded(c, made[k].tensor(), n));
}
const Batching attention_rule{"_scaled_dot_product_flash_attention_for_cpu", Attention<3>};
const Batching attention_backward_rule{"_scaled_dot_product_flash_attention_for_cpu_backward",
                                       Attention<6>};

}  // namespace
}  // namespace sy::transforms
