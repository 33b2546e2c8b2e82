#include "backends/cuda/kernels/nn/rows_backward.h"

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/channel_numbers.h"

namespace sy::cuda {
namespace {

constexpr int kRowThreads = 256;  // as device/lines.h's kLineThreads

Specialised Function(const char* name, DType d) {
  return Specialised("norm_backward", "NormBackwardArgs", name).Element(d);
}

}  // namespace

void ZeroIfAsked(Call call, const Tensor& t) {
  if (t.defined() && t.numel() != 0) FillElements(call, t, Scalar(0));
}

void RunRowsBackward(Call call, NormBackwardArgs args, const Tensor& g, const Tensor& x,
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
  Launch(call, Function("RowCoefficients", d), {args.statistics, kRowThreads}, args);
  IntoDense(call, to_input, d, [&](const Tensor& to) {
    args.out = to.data();
    Launch(call, Function("RowsToInput", d), BlocksFor(to.numel()), args);
  });
}

}  // namespace sy::cuda
