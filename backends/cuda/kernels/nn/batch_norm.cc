#include <limits>
#include <vector>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/channel_numbers.h"
#include "backends/cuda/kernels/nn/dnn_batch_norm.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

// t with the channels last.
Tensor ChannelsLast(const Tensor& t) {
  std::vector<int> order = {0};
  for (int d = 2; d < static_cast<int>(t.dim()); ++d) order.push_back(d);
  order.push_back(1);
  return Permuted(t, order);
}

// As device/channels.h's BatchRounding.
enum Rounding { kRoundsOnce, kRoundsVariance, kRoundsMean, kRoundsSteps };
Rounding RoundingOf(const Tensor& input, bool dense) {
  if (dense) return input.dtype() == DType::kBFloat16 ? kRoundsVariance : kRoundsOnce;
  return Contains(kHalves, input.dtype()) ? kRoundsSteps : kRoundsMean;
}

// Mean and variance of each channel, in double.
void ChannelMoments(Call call, const Tensor& input, const Tensor& mean, const Tensor& variance) {
  if (input.numel() == 0) {
    FillElements(call, mean, Scalar(0));
    return FillElements(call, variance, Scalar(std::numeric_limits<double>::quiet_NaN()));
  }
  const uint64_t dims = (uint64_t{1} << input.dim()) - 1;
  Reduce(call, kReduction<f::Moments>, input.dtype(), input, dims & ~uint64_t{2}, &variance, &mean,
         {ReduceFinish::kVariance});
}

void BatchNorm(Call call, const Tensor& out, const Tensor& saved_mean, const Tensor& saved_factor,
               const Tensor& input, const Tensor& weight, const Tensor& bias,
               const Tensor& running_mean, const Tensor& running_var, bool training,
               double momentum, double eps) {
  if (DnnBatchNorm(call, out, saved_mean, saved_factor, input, weight, bias, running_mean,
                   running_var, training, momentum, eps))
    return;
  const int64_t channels = input.sizes()[1];
  const bool channels_last = ChannelsLast(input).is_contiguous();
  const Rounding rounding = RoundingOf(input, input.is_contiguous() || channels_last);
  const auto vector = [&] { return Tensor::Empty({channels}, kChannelType, input.device()); };
  // Copies that the kernel may change; weight and bias it reads alone.
  const auto copy = [&](const Tensor& t) {
    if (!t.defined()) return t;
    Tensor wide = vector();
    CopyElements(call, wide, t);
    return wide;
  };
  const bool keeps = running_mean.defined() && (!training || input.numel() != 0);
  Tensor w = Dense(call, weight, kChannelType), b = Dense(call, bias, kChannelType),
         run_mean = keeps ? copy(running_mean) : Tensor(),
         run_var = keeps ? copy(running_var) : Tensor(), mean, variance, save_mean, save_factor;
  ChannelArgs args{};
  args.channels = channels;
  args.momentum = momentum;
  args.eps = eps;
  args.weight = Numbers(w);
  args.bias = Numbers(b);
  args.running_mean = Numbers(run_mean);
  args.running_var = Numbers(run_var);
  if (training) {
    for (Tensor* t : {&mean, &variance, &save_mean, &save_factor}) *t = vector();
    ChannelMoments(call, input, mean, variance);
    args.mean = Numbers(mean);
    args.variance = Numbers(variance);
    args.saved_mean = Numbers(save_mean);
    args.saved_factor = Numbers(save_factor);
    args.count = channels == 0 ? 0 : static_cast<double>(input.numel() / channels);
  }
  const Tensor values = Tensor::Empty({4, channels}, kChannelType, input.device());
  args.values = static_cast<double*>(values.data());
  Launch(call,
         Specialised("channels", "ChannelArgs", "ChannelNumbers")
             .Element(saved_mean.dtype())
             .Number(rounding),
         BlocksFor(channels), args);
  if (training) {
    CopyElements(call, saved_mean, save_mean);
    CopyElements(call, saved_factor, save_factor);
    if (keeps) {
      CopyElements(call, running_mean, run_mean);
      CopyElements(call, running_var, run_var);
    }
  }
  if (out.numel() == 0) return;
  const Tensor from = channels_last ? ChannelsLast(input) : input,
               to = channels_last ? ChannelsLast(out) : out;
  const Tensor in = Dense(call, from, input.dtype());
  ScaleArgs scale{};
  scale.in = in.data();
  scale.values = args.values;
  scale.total = out.numel();
  scale.channels = channels;
  scale.n = channels_last ? 1 : out.numel() / (out.sizes()[0] * channels);
  IntoDense(call, to, out.dtype(), [&](const Tensor& dense) {
    scale.out = dense.data();
    Launch(call,
           Specialised("channels", "ScaleArgs", "ScaleChannels")
               .Element(out.dtype())
               .Number(rounding == kRoundsSteps ? rounding : kRoundsOnce),
           BlocksFor(scale.total), scale);
  });
}

void BatchNormNoStats(Call call, const Tensor& out, const Tensor& saved_mean,
                      const Tensor& saved_factor, const Tensor& input, const Tensor& weight,
                      const Tensor& bias, bool training, double momentum, double eps) {
  BatchNorm(call, out, saved_mean, saved_factor, input, weight, bias, Tensor(), Tensor(), training,
            momentum, eps);
}

const Kernel batch_norm{"_native_batch_norm_legit", "cuda", kFloatingTypes, BatchNorm};
const Kernel batch_norm_no_stats{"_native_batch_norm_legit.no_stats", "cuda", kFloatingTypes,
                                 BatchNormNoStats};

}  // namespace
}  // namespace sy::cuda
