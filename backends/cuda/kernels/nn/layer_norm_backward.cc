#include <algorithm>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/channel_numbers.h"
#include "backends/cuda/kernels/nn/rows_backward.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/nn/norm_backward.h"

namespace sy::cuda {
namespace {

constexpr int64_t kRowThreads = 256, kColumns = 32;  // as device/norm_backward.h's

void ToParameters(Call call, DType d, const Tensor& to_weight, const Tensor& to_bias,
                  NormBackwardArgs args) {
  const int64_t blocks = (args.n + kColumns - 1) / kColumns;
  // Enough blocks for a device, of rows enough for a block.
  const int64_t parts =
      std::clamp<int64_t>(std::min<int64_t>(1024 / blocks, args.rows / 64), 1, 256);
  const auto room = [&](const Tensor& t) {
    return t.defined() ? Tensor::Empty({parts, args.n}, kChannelType, t.device()) : Tensor();
  };
  Tensor weights = room(to_weight), biases = room(to_bias);
  args.to_weight = Numbers(weights);
  args.to_bias = Numbers(biases);
  Launch(call, Specialised("norm_backward", "NormBackwardArgs", "LayerNormToParameters").Element(d),
         {blocks, static_cast<int>(kRowThreads), parts}, args);
  const auto add = [&](const Tensor& sums, const Tensor& to) {
    if (!to.defined()) return;
    const Tensor flat = to.AsStrided({args.n}, {1}, to.storage_offset());
    Reduce(call, kReduction<f::Sum>, kChannelType, sums, DimMask(0), &flat);
  };
  add(weights, to_weight);
  add(biases, to_bias);
}

Gradients LayerNormBackward(Call call, const Tensor& grad_out, const Tensor& input,
                            IntSpan normalized_shape, const Tensor& mean, const Tensor& rstd,
                            const Tensor& weight, const Tensor& bias, OutputMask output_mask) {
  Gradients made = LayerNormGradients(call, grad_out, input, normalized_shape, mean, rstd, weight,
                                      bias, output_mask);
  const auto& [to_input, to_weight, to_bias] = made;
  if (input.numel() == 0) {
    ZeroIfAsked(call, to_weight);
    ZeroIfAsked(call, to_bias);
    return made;
  }
  const DType d = input.dtype();
  const Tensor g = Dense(call, grad_out, d), x = Dense(call, input, d),
               means = Dense(call, mean, kChannelType), factors = Dense(call, rstd, kChannelType),
               weights = Dense(call, weight, kChannelType);
  NormBackwardArgs args{};
  args.n = NumElements(normalized_shape);
  args.rows = input.numel() / args.n;
  args.grad = g.data();
  args.in = x.data();
  args.mean = Numbers(means);
  args.factor = Numbers(factors);
  args.weight = Numbers(weights);
  if (to_input.defined()) {
    args.out = to_input.data();
    Launch(call, Specialised("norm_backward", "NormBackwardArgs", "LayerNormToInput").Element(d),
           {args.rows, static_cast<int>(kRowThreads)}, args);
  }
  if (to_weight.defined() || to_bias.defined()) ToParameters(call, d, to_weight, to_bias, args);
  return made;
}

const Kernel layer_norm_backward{"native_layer_norm_backward", "cuda", kFloatingTypes,
                                 LayerNormBackward};

}  // namespace
}  // namespace sy::cuda
