// Of batch_norm and group_norm.

#include <vector>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/channel_numbers.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/ops/nn/norm_backward.h"

namespace sy::cuda {
namespace {

constexpr int kRowThreads = 256;  // as device/lines.h's kLineThreads

void FillIfAsked(Call call, const Tensor& t) {
  if (t.defined() && t.numel() != 0) FillElements(call, t, Scalar(0));
}

Specialised Function(const char* name, DType d) {
  return Specialised("norm_backward", "NormBackwardArgs", name).Element(d);
}

// args: but for what is written. g, x, and to_input, which may be undefined: rows of args.
void RunRows(Call call, NormBackwardArgs args, const Tensor& g, const Tensor& x,
             const Tensor& to_input, const Tensor& to_weight, const Tensor& to_bias) {
  const DType d = x.dtype();
  const Tensor grad = Dense(call, g, d), in = Dense(call, x, d),
               numbers = Tensor::Empty({5, args.rows}, kChannelType, x.device());
  args.grad = grad.data();
  args.in = in.data();
  args.slopes = static_cast<double*>(numbers.data());
  args.coefficients = args.slopes + 2 * args.rows;
  Launch(call, Function("RowSlopes", d), {args.rows, kRowThreads}, args);
  if (to_weight.defined() || to_bias.defined()) {
    Tensor sums = Tensor::Empty({2, args.channels}, kChannelType, x.device());
    args.to_weight = Numbers(sums);
    args.to_bias = args.to_weight + args.channels;
    Launch(call, Function("ChannelGradients", DType::kFloat64), {args.channels, kRowThreads}, args);
    if (to_weight.defined()) CopyElements(call, to_weight, sums.AsStrided({args.channels}, {1}, 0));
    if (to_bias.defined())
      CopyElements(call, to_bias, sums.AsStrided({args.channels}, {1}, args.channels));
  }
  if (!to_input.defined()) return;
  Launch(call, Function("RowCoefficients", DType::kFloat64), {args.statistics, kRowThreads}, args);
  IntoDense(call, to_input, d, [&](const Tensor& to) {
    args.out = to.data();
    Launch(call, Function("RowsToInput", d), BlocksFor(to.numel()), args);
  });
}

Tensor ChannelsFirst(const Tensor& t) {
  std::vector<int> order = {1, 0};
  for (int d = 2; d < static_cast<int>(t.dim()); ++d) order.push_back(d);
  return Permuted(t, order);
}

Gradients BatchNormBackward(Call call, const Tensor& grad_out, const Tensor& input,
                            const Tensor& weight, const Tensor& running_mean,
                            const Tensor& running_var, const Tensor& save_mean,
                            const Tensor& save_invstd, bool train, double eps,
                            OutputMask output_mask) {
  Gradients made = BatchNormGradients(call, grad_out, input, weight, running_mean, running_var,
                                      save_mean, save_invstd, train, eps, output_mask);
  const auto& [to_input, to_weight, to_bias] = made;
  if (input.numel() == 0) {
    FillIfAsked(call, to_weight);
    FillIfAsked(call, to_bias);
    return made;
  }
  const Tensor means = Dense(call, train ? save_mean : running_mean, kChannelType),
               weights = Dense(call, weight, kChannelType);
  Tensor factors = Dense(call, train ? save_invstd : running_var, kChannelType);
  const int64_t channels = input.sizes()[1];
  if (!train) {
    const Tensor beside = Tensor::Empty({channels}, kChannelType, input.device());
    const Tensor variances = factors;
    NormBackwardArgs args{};
    args.statistics = channels;
    args.factor = Numbers(variances);
    args.slopes = static_cast<double*>(beside.data());
    args.eps = eps;
    Launch(call, Function("FactorsOfVariances", DType::kFloat64), BlocksFor(channels), args);
    factors = beside;
  }
  // Rows long enough for a block; else each channel's elements are brought together.
  const int64_t inner = input.numel() / (input.sizes()[0] * channels);
  const bool pieces = inner > 64 && input.is_contiguous();
  const auto arranged = [&](const Tensor& t) {
    return pieces || !t.defined() ? t : ChannelsFirst(t);
  };
  NormBackwardArgs args{};
  args.channels = args.statistics = channels;
  args.rows = pieces ? input.sizes()[0] * channels : channels;
  args.n = input.numel() / args.rows;
  args.each = args.first = 1;
  args.next = channels;
  args.rows_of_one = args.rows / channels;
  args.mean = Numbers(means);
  args.factor = static_cast<const double*>(factors.data());
  args.weight = Numbers(weights);
  args.of_batch = train;
  RunRows(call, args, arranged(grad_out), arranged(input), arranged(to_input), to_weight, to_bias);
  return made;
}

Gradients GroupNormBackward(Call call, const Tensor& grad_out, const Tensor& input,
                            const Tensor& mean, const Tensor& rstd, const Tensor& weight,
                            int64_t samples, int64_t channels, int64_t inner, int64_t groups,
                            OutputMask output_mask) {
  Gradients made = GroupNormGradients(call, grad_out, input, mean, rstd, weight, samples, channels,
                                      inner, groups, output_mask);
  const auto& [to_input, to_weight, to_bias] = made;
  if (input.numel() == 0) {
    FillIfAsked(call, to_weight);
    FillIfAsked(call, to_bias);
    return made;
  }
  const Tensor means = Dense(call, mean, kChannelType), factors = Dense(call, rstd, kChannelType),
               weights = Dense(call, weight, kChannelType);
  NormBackwardArgs args{};
  args.channels = channels;
  args.statistics = samples * groups;
  args.rows = samples * channels;
  args.n = inner;
  args.each = args.first = args.rows_of_one = channels / groups;
  args.next = 1;
  args.mean = Numbers(means);
  args.factor = Numbers(factors);
  args.weight = Numbers(weights);
  args.of_batch = true;
  RunRows(call, args, grad_out, input, to_input, to_weight, to_bias);
  return made;
}

const Kernel batch_norm_backward{"native_batch_norm_backward", "cuda", kFloatingTypes,
                                 BatchNormBackward};
const Kernel group_norm_backward{"native_group_norm_backward", "cuda", kFloatingTypes,
                                 GroupNormBackward};

}  // namespace
}  // namespace sy::cuda
