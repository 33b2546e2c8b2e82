#include <vector>

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/channel_numbers.h"
#include "backends/cuda/kernels/nn/dnn_batch_norm.h"
#include "backends/cuda/kernels/nn/rows_backward.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/ops/nn/norm_backward.h"

namespace sy::cuda {
namespace {

Gradients BatchNormBackward(Call call, const Tensor& grad_out, const Tensor& input,
                            const Tensor& weight, const Tensor& running_mean,
                            const Tensor& running_var, const Tensor& save_mean,
                            const Tensor& save_invstd, bool train, double eps,
                            OutputMask output_mask) {
  Gradients made = BatchNormGradients(call, grad_out, input, weight, running_mean, running_var,
                                      save_mean, save_invstd, train, eps, output_mask);
  const auto& [to_input, to_weight, to_bias] = made;
  if (input.numel() == 0) {
    ZeroIfAsked(call, to_weight);
    ZeroIfAsked(call, to_bias);
    return made;
  }
  if (train &&
      DnnBatchNormBackward(call, made, grad_out, input, weight, save_mean, save_invstd, eps))
    return made;
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
    Launch(call,
           Specialised("norm_backward", "NormBackwardArgs", "FactorsOfVariances")
               .Element(DType::kFloat64),
           BlocksFor(channels), args);
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
  args.steps = train && Contains(kHalves, input.dtype()) && !LieAlike(input, grad_out);
  RunRowsBackward(call, args, arranged(grad_out), arranged(input), arranged(to_input), to_weight,
                  to_bias);
  return made;
}

const Kernel batch_norm_backward{"native_batch_norm_backward", "cuda", kFloatingTypes,
                                 BatchNormBackward};

}  // namespace
}  // namespace sy::cuda
