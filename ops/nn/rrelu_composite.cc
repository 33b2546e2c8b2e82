// rrelu_with_noise without writing noise, and what it passes back.
// Source: ATen/native/Activation.cpp, for bounds that count as one.
#include <tuple>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

::std::tuple<Tensor, Tensor> Functional(Call, const Tensor& self, const Tensor& noise,
                                        const Scalar& lower, const Scalar& upper, bool training,
                                        Generator* generator) {
  const Tensor written = clone(noise);
  return {rrelu_with_noise(self, written, lower, upper, training, generator), written};
}
Tensor Backward(Call, const Tensor& grad_output, const Tensor& self, const Tensor& noise,
                const Scalar& lower, const Scalar& upper, bool training, bool self_is_result) {
  const double from = lower.To<double>(), to = upper.To<double>();
  constexpr double kOne = 1e-6;
  if (training && to - from > kOne) return mul(grad_output, noise);
  return leaky_relu_backward(grad_output, self, (from + to) / 2, self_is_result);
}
const Composite functional_body{"rrelu_with_noise_functional", Functional};
const Composite backward_body{"rrelu_with_noise_backward", Backward};

}  // namespace
}  // namespace sy
