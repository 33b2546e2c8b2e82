// _slow_conv2d_backward by convolution_backward.

#include <array>
#include <optional>
#include <tuple>

#include "ops/nn/slow_conv_composite.h"

namespace sy {
namespace {

using Three = ::std::tuple<Tensor, Tensor, Tensor>;

Three Backward(Call call, const Tensor& grad_output, const Tensor& self, const Tensor& weight,
               IntSpan kernel_size, IntSpan stride, IntSpan padding,
               ::std::span<const bool> output_mask) {
  constexpr ::std::array<int64_t, 1> kZero = {0}, kOne = {1};
  const Tensor kernels = WithKernels(call, weight, self, kernel_size, 2);
  auto [of_input, of_weight, of_bias] =
      convolution_backward(grad_output, self, kernels, ::std::nullopt, stride, padding, kOne, false,
                           kZero, 1, output_mask);
  if (of_weight.defined() && weight.dim() == 2) of_weight = reshape(of_weight, weight.sizes());
  return {of_input, of_weight, of_bias};
}

void BackwardInto(Call call, const Tensor& grad_output, const Tensor& self, const Tensor& weight,
                  IntSpan kernel_size, IntSpan stride, IntSpan padding, const Tensor& grad_input,
                  const Tensor& grad_weight, const Tensor& grad_bias) {
  constexpr bool kAll[] = {true, true, true};
  const auto store = [](const Tensor& out, const Tensor& result) {
    if (!SameSizes(out.sizes(), result.sizes())) resize_(out, result.sizes());
    copy_(out, result);
  };
  const auto [of_input, of_weight, of_bias] =
      Backward(call, grad_output, self, weight, kernel_size, stride, padding, kAll);
  store(grad_input, of_input);
  store(grad_weight, of_weight);
  store(grad_bias, of_bias);
}

const Composite backward_body{"_slow_conv2d_backward.output_mask", Backward};
const Composite backward_into_body{"_slow_conv2d_backward.grad_input", BackwardInto};

}  // namespace
}  // namespace sy
