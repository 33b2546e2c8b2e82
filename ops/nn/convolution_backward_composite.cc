// convolution_backward by convolutions, for devices without a kernel of their own: the input's
// gradient is the convolution of grad_output the other way round, the weight's that of the input
// with grad_output as kernels, which steps where that is spread and is spread where that steps.

#include <array>
#include <tuple>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/nn/convolution_gradients.h"
#include "switchyard/ops/nn/window.h"

namespace sy {
namespace {

struct Arguments {
  IntSpan stride, padding, dilation;
  bool transposed;
  int64_t groups;
};

// The first elements of each of t's image's dimensions, as many as `sizes` has there.
Tensor Cut(Tensor t, IntSpan sizes) {
  for (int64_t d = 2; d < t.dim(); ++d) t = narrow(t, d, 0, sizes[static_cast<size_t>(d)]);
  return t;
}

Tensor OfInput(const Tensor& grad, const Tensor& input, const Tensor& weight, const Arguments& a) {
  const Window w = Window::OfConvolution(a.transposed ? grad : input, a.transposed ? input : grad,
                                         weight, a.stride, a.padding, a.dilation);
  ::std::vector<int64_t> more(static_cast<size_t>(w.dims), 0);
  for (int d = 3 - w.dims; !a.transposed && d < 3; ++d) {
    const int64_t reached = (w.outputs[d] - 1) * w.stride[d] - 2 * w.padding[d] +
                            WindowExtent(w.kernel[d], w.dilation[d]);
    more[static_cast<size_t>(d - (3 - w.dims))] = w.inputs[d] - reached;
  }
  return Cut(convolution(grad, weight, Tensor(), a.stride, a.padding, a.dilation, !a.transposed,
                         more, a.groups),
             input.sizes());
}

Tensor OfWeight(const Tensor& grad, const Tensor& input, const Tensor& weight, const Arguments& a) {
  constexpr ::std::array<int64_t, 1> kZero = {0};
  const Tensor &image = a.transposed ? grad : input, &windows = a.transposed ? input : grad;
  const auto part = [&](const Tensor& t, int64_t group) {
    const int64_t channels = t.sizes()[1] / a.groups;
    return transpose(narrow(t, 1, group * channels, channels), 0, 1);
  };
  ::std::vector<Tensor> parts;
  for (int64_t g = 0; g < a.groups; ++g) {
    const Tensor all = convolution(part(image, g), part(windows, g), Tensor(), a.dilation,
                                   a.padding, a.stride, false, kZero, 1);
    parts.push_back(transpose(Cut(all, weight.sizes()), 0, 1));
  }
  return cat(parts, 0);
}

::std::tuple<Tensor, Tensor, Tensor> Backward(Call call, const Tensor& grad_output,
                                              const Tensor& input, const Tensor& weight,
                                              Optional<IntSpan>, IntSpan stride, IntSpan padding,
                                              IntSpan dilation, bool transposed,
                                              IntSpan output_padding, int64_t groups,
                                              ::std::span<const bool> output_mask) {
  RequireConvolutionGradient(call.op(), grad_output, input, weight, stride, padding, dilation,
                             transposed, output_padding, groups, output_mask);
  const Arguments a{stride, padding, dilation, transposed, groups};
  const MemoryFormat format = ConvolutionGradientFormat(input, weight);
  const bool empty = grad_output.numel() == 0 || input.numel() == 0 || weight.numel() == 0;
  const auto result = [&](const Tensor& like, auto f) {
    return contiguous(empty ? zeros(like.sizes(), like.dtype(), ::std::nullopt, like.device())
                            : f(grad_output, input, weight, a),
                      format);
  };
  Tensor of_bias;
  if (output_mask[2]) {
    ::std::vector<int64_t> dims = {0};
    for (int64_t d = 2; d < grad_output.dim(); ++d) dims.push_back(d);
    of_bias = sum(grad_output, dims);
  }
  return {output_mask[0] ? result(input, OfInput) : Tensor(),
          output_mask[1] ? result(weight, OfWeight) : Tensor(), of_bias};
}
const Composite convolution_backward_body{"convolution_backward", Backward};

}  // namespace
}  // namespace sy
