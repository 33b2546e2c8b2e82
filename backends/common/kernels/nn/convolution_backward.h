// convolution_backward with a backend's kernels for the gradients of input and weight.
//
//   ConvolutionBackward<Engine>(call, grad, input, weight, c, mask, of_input, of_weight);
//
// Owns: nothing. Threads: any.
// Errors: as RequireConvolutionGradient's.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_CONVOLUTION_BACKWARD_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_CONVOLUTION_BACKWARD_H_

#include <span>
#include <tuple>

#include "switchyard/backends/common/convolution.h"
#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/ops/formulas/reduce.h"
#include "switchyard/ops/nn/convolution_gradients.h"

namespace sy {

// of_input(to), of_weight(to): write them; they are called where there is something to add up.
template <class E, class OfInput, class OfWeight>
std::tuple<Tensor, Tensor, Tensor> ConvolutionBackward(Call call, const Tensor& grad_output,
                                                       const Tensor& input, const Tensor& weight,
                                                       const ConvolutionParameters& c,
                                                       std::span<const bool> mask, OfInput of_input,
                                                       OfWeight of_weight) {
  RequireConvolutionGradient(call.op(), grad_output, input, weight, c.stride, c.padding, c.dilation,
                             c.transposed, c.output_padding, c.groups, mask);
  const DType d = input.dtype();
  const MemoryFormat format = ConvolutionGradientFormat(input, weight);
  const bool empty = grad_output.numel() == 0 || input.numel() == 0 || weight.numel() == 0;
  const auto filled = [&](const Tensor& like, auto fill) {
    Tensor to;
    if (format == MemoryFormat::kContiguous) {
      to = Tensor::Empty(like.sizes(), d, like.device());
    } else {
      int64_t strides[kMaxRank];
      FormatStrides(like.sizes(), format, strides);
      to = Tensor::EmptyStrided(like.sizes(), {strides, static_cast<size_t>(like.dim())}, d,
                                like.device());
    }
    if (!empty) {
      fill(to);
    } else if (to.numel() != 0) {
      E::Fill(call, to, Scalar(0));
    }
    return to;
  };
  Tensor of_bias;
  if (mask[2]) {
    of_bias = Tensor::Empty({grad_output.sizes()[1]}, d, grad_output.device());
    const uint64_t but_channels = ((uint64_t{1} << grad_output.dim()) - 1) & ~uint64_t{2};
    if (grad_output.numel() != 0) {
      E::template Reduce<f::Sum>(call, d, grad_output, but_channels, of_bias);
    } else if (of_bias.numel() != 0) {
      E::Fill(call, of_bias, Scalar(0));
    }
  }
  return {mask[0] ? filled(input, of_input) : Tensor(),
          mask[1] ? filled(weight, of_weight) : Tensor(), of_bias};
}

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_CONVOLUTION_BACKWARD_H_
