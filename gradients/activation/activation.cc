// Gradients of activations, by the operators that compute them in one pass.
#include <string_view>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/scalar.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor ReluSelf(const Grad& g, Output<0> y, Unsaved) { return threshold_backward(g, y, 0); }
const Gradient relu_grad{"relu", For("self", ReluSelf)};
Tensor SigmoidSelf(const Grad& g, Output<0> y, Unsaved) { return sigmoid_backward(g, y); }
const Gradient sigmoid_grad{"sigmoid", For("self", SigmoidSelf)};
// silu_backward is of real numbers.
Tensor SiluSelf(const Grad& g, const Tensor& self) {
  if (!IsComplex(self.dtype())) return silu_backward(g, self);
  const Tensor s = sigmoid(self);
  return mul(g, conj(mul(s, add(mul(self, rsub(s, 1)), 1))));
}
const Gradient silu_grad{"silu", For("self", SiluSelf)};
Tensor MishSelf(const Grad& g, const Tensor& self) { return mish_backward(g, self); }
const Gradient mish_grad{"mish", For("self", MishSelf)};
Tensor GeluSelf(const Grad& g, const Tensor& self, std::string_view approximate) {
  return gelu_backward(g, self, approximate);
}
const Gradient gelu_grad{"gelu", For("self", GeluSelf)};
Tensor EluSelf(const Grad& g, const Tensor& self, const Scalar& alpha, const Scalar& scale,
               const Scalar& input_scale) {
  return elu_backward(g, alpha, scale, input_scale, false, self);
}
const Gradient elu_grad{"elu", For("self", EluSelf)};
Tensor CeluSelf(const Grad& g, const Tensor& self, const Scalar& alpha) {
  return elu_backward(g, alpha, 1, 1 / alpha.To<double>(), false, self);
}
const Gradient celu_grad{"celu", For("self", CeluSelf)};
// The two numbers that keep mean 0 and variance 1.
constexpr double kSeluAlpha = 1.6732632423543772848170429916717;
constexpr double kSeluScale = 1.0507009873554804934193349852946;
Tensor SeluSelf(const Grad& g, const Tensor& self) {
  return elu_backward(g, kSeluAlpha, kSeluScale, 1, false, self);
}
const Gradient selu_grad{"selu", For("self", SeluSelf)};
Tensor LeakyReluSelf(const Grad& g, const Tensor& self, const Scalar& slope) {
  return leaky_relu_backward(g, self, slope, false);
}
const Gradient leaky_relu_grad{"leaky_relu", For("self", LeakyReluSelf)};
Tensor HardtanhSelf(const Grad& g, const Tensor& self, const Scalar& min, const Scalar& max) {
  return hardtanh_backward(g, self, min, max);
}
const Gradient hardtanh_grad{"hardtanh", For("self", HardtanhSelf)};
Tensor Relu6Self(const Grad& g, const Tensor& self) { return hardtanh_backward(g, self, 0, 6); }
const Gradient relu6_grad{"relu6", For("self", Relu6Self)};
Tensor HardswishSelf(const Grad& g, const Tensor& self) { return hardswish_backward(g, self); }
const Gradient hardswish_grad{"hardswish", For("self", HardswishSelf)};
Tensor HardsigmoidSelf(const Grad& g, const Tensor& self) { return hardsigmoid_backward(g, self); }
const Gradient hardsigmoid_grad{"hardsigmoid", For("self", HardsigmoidSelf)};
Tensor HardshrinkSelf(const Grad& g, const Tensor& self, const Scalar& lambd) {
  return hardshrink_backward(g, self, lambd);
}
const Gradient hardshrink_grad{"hardshrink", For("self", HardshrinkSelf)};
Tensor SoftshrinkSelf(const Grad& g, const Tensor& self, const Scalar& lambd) {
  return softshrink_backward(g, self, lambd);
}
const Gradient softshrink_grad{"softshrink", For("self", SoftshrinkSelf)};
Tensor SoftplusSelf(const Grad& g, const Tensor& self, const Scalar& beta,
                    const Scalar& threshold) {
  return softplus_backward(g, self, beta, threshold);
}
const Gradient softplus_grad{"softplus", For("self", SoftplusSelf)};
Tensor ThresholdSelf(const Grad& g, const Tensor& self, const Scalar& threshold, Unsaved) {
  return threshold_backward(g, self, threshold);
}
const Gradient threshold_grad{"threshold", For("self", ThresholdSelf)};
Tensor LogitSelf(const Grad& g, const Tensor& self, Optional<double> eps) {
  return logit_backward(g, self, eps);
}
const Gradient logit_grad{"logit", For("self", LogitSelf)};
Tensor GluSelf(const Grad& g, const Tensor& self, int64_t dim) {
  return glu_backward(g, self, dim);
}
const Gradient glu_grad{"glu", For("self", GluSelf)};

Tensor LogSigmoidSelf(const Grad& g, Output<1> buffer, const Tensor& self) {
  return log_sigmoid_backward(g, self, buffer);
}
const Gradient log_sigmoid_grad{"log_sigmoid_forward", Constant({1}), For("self", LogSigmoidSelf)};
Tensor LogSigmoid(const Tensor& self) { return std::get<0>(log_sigmoid_forward(self)); }
const Decomposition log_sigmoid_parts{"log_sigmoid", LogSigmoid};

// Of what is written in place the result is known, from which the slope follows, too.
Tensor EluInPlace(const Grad& g, Output<0> y, Unsaved, const Scalar& alpha, const Scalar& scale,
                  const Scalar& input_scale) {
  return elu_backward(g, alpha, scale, input_scale, true, y);
}
const Gradient elu_in_place_grad{"elu_", For("self", EluInPlace)};
Tensor CeluInPlace(const Grad& g, Output<0> y, Unsaved, const Scalar& alpha) {
  return elu_backward(g, alpha, 1, 1 / alpha.To<double>(), true, y);
}
const Gradient celu_in_place_grad{"celu_", For("self", CeluInPlace)};
Tensor SeluInPlace(const Grad& g, Output<0> y, Unsaved) {
  return elu_backward(g, kSeluAlpha, kSeluScale, 1, true, y);
}
const Gradient selu_in_place_grad{"selu_", For("self", SeluInPlace)};

// The noise, which the operator writes, is what each element was multiplied by.
Tensor RreluWithNoiseSelf(const Grad& g, const Tensor& self, const Tensor& noise,
                          const Scalar& lower, const Scalar& upper, bool training, Unsaved) {
  return rrelu_with_noise_backward(g, self, noise, lower, upper, training, false);
}
const Gradient rrelu_with_noise_grad{"rrelu_with_noise", For("self", RreluWithNoiseSelf)};
Tensor Rrelu(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training,
             Generator* generator) {
  return rrelu_with_noise(self, zeros_like(self), lower, upper, training, generator);
}
const Decomposition rrelu_parts{"rrelu", Rrelu};

void PreluGrad(const Grad& g, const Tensor& self, const Tensor& weight, Gradients& out) {
  auto [of_self, of_weight] = _prelu_kernel_backward(g, self, weight);
  out.Set(0, std::move(of_self));
  out.Set(1, std::move(of_weight));
}
const Gradient prelu_grad{"_prelu_kernel", ForAll({"self", "weight"}, PreluGrad)};

}  // namespace
}  // namespace sy
