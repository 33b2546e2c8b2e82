#include "backends/cuda/engine/dense.h"
#include "backends/cuda/kernels/nn/channel_numbers.h"
#include "backends/cuda/kernels/nn/rows_backward.h"
#include "switchyard/ops/nn/norm_backward.h"

namespace sy::cuda {
namespace {

Gradients GroupNormBackward(Call call, const Tensor& grad_out, const Tensor& input,
                            const Tensor& mean, const Tensor& rstd, const Tensor& weight,
                            int64_t samples, int64_t channels, int64_t inner, int64_t groups,
                            OutputMask output_mask) {
  Gradients made = GroupNormGradients(call, grad_out, input, mean, rstd, weight, samples, channels,
                                      inner, groups, output_mask);
  const auto& [to_input, to_weight, to_bias] = made;
  if (input.numel() == 0) {
    ZeroIfAsked(call, to_weight);
    ZeroIfAsked(call, to_bias);
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
  RunRowsBackward(call, args, grad_out, input, to_input, to_weight, to_bias);
  return made;
}

const Kernel group_norm_backward{"native_group_norm_backward", "cuda", kFloatingTypes,
                                 GroupNormBackward};

}  // namespace
}  // namespace sy::cuda
