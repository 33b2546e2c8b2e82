// Second derivatives: gradients of what activations pass back. Each is linear in the gradient that
// it is given, so that by that one it is the same operator again.
#include <cmath>
#include <string_view>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/scalar.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Nothing comes back where the slope is constant by pieces.
Tensor Flat(const Tensor& g) { return zeros_like(g); }

Tensor SigmoidGrad(const Grad& g, Unsaved, const Tensor& y) { return sigmoid_backward(g, conj(y)); }
Tensor SigmoidOutput(const Grad& g, const Tensor& grad, const Tensor& y) {
  return mul(mul(conj(g), grad), conj(rsub(mul(y, 2), 1)));
}
const Gradient sigmoid_grad{"sigmoid_backward", For("grad_output", SigmoidGrad),
                            For("output", SigmoidOutput)};
Tensor TanhGrad(const Grad& g, Unsaved, const Tensor& y) { return tanh_backward(g, conj(y)); }
Tensor TanhOutput(const Grad& g, const Tensor& grad, const Tensor& y) {
  return mul(conj(g), mul(mul(grad, conj(y)), -2));
}
const Gradient tanh_grad{"tanh_backward", For("grad_output", TanhGrad), For("output", TanhOutput)};

Tensor ThresholdGrad(const Grad& g, Unsaved, const Tensor& self, const Scalar& threshold) {
  return threshold_backward(g, self, threshold);
}
Tensor ThresholdSelf(const Grad& g, Unsaved, Unsaved, Unsaved) { return Flat(g); }
const Gradient threshold_grad{"threshold_backward", For("grad_output", ThresholdGrad),
                              For("self", ThresholdSelf)};
Tensor LeakyGrad(const Grad& g, Unsaved, const Tensor& self, const Scalar& slope, bool is_result) {
  return leaky_relu_backward(g, self, slope, is_result);
}
Tensor FlatSelf(const Grad& g, Unsaved, Unsaved, Unsaved, Unsaved) { return Flat(g); }
const Gradient leaky_grad{"leaky_relu_backward", For("grad_output", LeakyGrad),
                          For("self", FlatSelf)};
Tensor HardtanhGrad(const Grad& g, Unsaved, const Tensor& self, const Scalar& min,
                    const Scalar& max) {
  return hardtanh_backward(g, self, min, max);
}
const Gradient hardtanh_grad{"hardtanh_backward", For("grad_output", HardtanhGrad),
                             For("self", FlatSelf)};
Tensor HardshrinkGrad(const Grad& g, Unsaved, const Tensor& self, const Scalar& lambd) {
  return hardshrink_backward(g, self, lambd);
}
const Gradient hardshrink_grad{"hardshrink_backward", For("grad_out", HardshrinkGrad),
                               For("self", ThresholdSelf)};
Tensor SoftshrinkGrad(const Grad& g, Unsaved, const Tensor& self, const Scalar& lambd) {
  return softshrink_backward(g, self, lambd);
}
const Gradient softshrink_grad{"softshrink_backward", For("grad_output", SoftshrinkGrad),
                               For("self", ThresholdSelf)};
Tensor RreluGrad(const Grad& g, Unsaved, const Tensor& self, const Tensor& noise,
                 const Scalar& lower, const Scalar& upper, bool training, bool is_result) {
  return rrelu_with_noise_backward(g, self, noise, lower, upper, training, is_result);
}
const Gradient rrelu_grad{"rrelu_with_noise_backward", For("grad_output", RreluGrad)};
Tensor HardsigmoidGrad(const Grad& g, Unsaved, const Tensor& self) {
  return hardsigmoid_backward(g, self);
}
Tensor HardsigmoidSelf(const Grad& g, Unsaved, Unsaved) { return Flat(g); }
const Gradient hardsigmoid_grad{"hardsigmoid_backward", For("grad_output", HardsigmoidGrad),
                                For("self", HardsigmoidSelf)};
Tensor HardswishGrad(const Grad& g, Unsaved, const Tensor& self) {
  return hardswish_backward(g, self);
}
// A third between -3 and 3.
Tensor HardswishSelf(const Grad& g, const Tensor& grad, const Tensor& self) {
  return where(logical_and(gt(self, -3), lt(self, 3)), mul(mul(g, grad), 1. / 3), 0);
}
const Gradient hardswish_grad{"hardswish_backward", For("grad_output", HardswishGrad),
                              For("self", HardswishSelf)};

// With s = σ(x): the slope s(1 + x(1 - s)) has the slope s(1 - s)(2 + x(1 - 2s)).
Tensor SiluGrad(const Grad& g, Unsaved, const Tensor& self) { return silu_backward(g, self); }
Tensor SiluSelf(const Grad& g, const Tensor& grad, const Tensor& self) {
  const Tensor s = sigmoid(self);
  const Tensor slope = mul(mul(s, rsub(s, 1)), add(mul(self, rsub(mul(s, 2), 1)), 2));
  return mul(mul(g, grad), slope);
}
const Gradient silu_grad{"silu_backward", For("grad_output", SiluGrad), For("self", SiluSelf)};
// With t = tanh(softplus(x)), s = σ(x): slope t + x s (1 - t²).
Tensor MishGrad(const Grad& g, Unsaved, const Tensor& self) { return mish_backward(g, self); }
Tensor MishSelf(const Grad& g, const Tensor& grad, const Tensor& self) {
  const Tensor s = sigmoid(self), t = tanh(softplus(self));
  const Tensor dt = mul(s, rsub(mul(t, t), 1));
  // d(x dt) = dt + x (s(1 - s)(1 - t²) - 2 s t dt)
  const Tensor ddt = sub(mul(dt, rsub(s, 1)), mul(mul(mul(s, t), dt), 2));
  return mul(mul(g, grad), add(mul(dt, 2), mul(self, ddt)));
}
const Gradient mish_grad{"mish_backward", For("grad_output", MishGrad), For("self", MishSelf)};

Tensor GeluGrad(const Grad& g, Unsaved, const Tensor& self, std::string_view approximate) {
  return gelu_backward(g, self, approximate);
}
Tensor GeluSelf(const Grad& g, const Tensor& grad, const Tensor& self,
                std::string_view approximate) {
  const Tensor squares = mul(self, self);
  Tensor slope;
  if (approximate == "tanh") {
    // y = x/2 (1 + t), t = tanh(u), u = k (x + c x³): y'' = dt + x/2 ddt.
    const double k = std::sqrt(2 / M_PI), c = 0.044715;
    const Tensor t = tanh(mul(add(self, mul(mul(squares, self), c)), k));
    const Tensor du = mul(add(mul(squares, 3 * c), 1), k), ddu = mul(self, 6 * c * k);
    const Tensor room = rsub(mul(t, t), 1);
    const Tensor dt = mul(room, du);
    const Tensor ddt = sub(mul(room, ddu), mul(mul(mul(t, dt), du), 2));
    slope = add(dt, mul(mul(self, ddt), 0.5));
  } else {
    // Φ + x φ has the slope φ (2 - x²).
    const Tensor density = mul(exp(mul(squares, -0.5)), 1 / std::sqrt(2 * M_PI));
    slope = mul(density, rsub(squares, 2));
  }
  return mul(mul(g, grad), slope);
}
const Gradient gelu_grad{"gelu_backward", For("grad_output", GeluGrad), For("self", GeluSelf)};

Tensor EluGrad(const Grad& g, Unsaved, const Scalar& alpha, const Scalar& scale,
               const Scalar& input_scale, bool is_result, const Tensor& x) {
  return elu_backward(g, alpha, scale, input_scale, is_result, x);
}
// Left of 0: of x the slope is α s i e^(ix), its own slope i times it; of y it is i (y + α s).
Tensor EluSelf(const Grad& g, const Tensor& grad, const Scalar& alpha, const Scalar& scale,
               const Scalar& input_scale, bool is_result, const Tensor& x) {
  const double i = input_scale.To<double>();
  const Tensor product = mul(mul(g, grad), i);
  const Tensor slope =
      is_result ? product
                : mul(product, mul(exp(mul(x, i)), alpha.To<double>() * scale.To<double>() * i));
  return where(lt(x, 0), slope, 0);
}
const Gradient elu_grad{"elu_backward", For("grad_output", EluGrad),
                        For("self_or_result", EluSelf)};

Tensor SoftplusGrad(const Grad& g, Unsaved, const Tensor& self, const Scalar& beta,
                    const Scalar& threshold) {
  return softplus_backward(g, self, beta, threshold);
}
Tensor SoftplusSelf(const Grad& g, const Tensor& grad, const Tensor& self, const Scalar& beta,
                    const Scalar& threshold) {
  const Tensor x = mul(self, beta);
  const Tensor s = sigmoid(x);
  const Tensor slope = mul(mul(s, rsub(s, 1)), beta);
  return where(ge(x, threshold), 0, mul(mul(g, grad), slope));
}
const Gradient softplus_grad{"softplus_backward", For("grad_output", SoftplusGrad),
                             For("self", SoftplusSelf)};
Tensor LogSigmoidGrad(const Grad& g, Unsaved, const Tensor& self, const Tensor& buffer) {
  return log_sigmoid_backward(g, self, buffer);
}
Tensor LogSigmoidSelf(const Grad& g, const Tensor& grad, const Tensor& self, Unsaved) {
  const Tensor s = sigmoid(self);
  return mul(mul(g, grad), mul(s, sub(s, 1)));
}
const Gradient log_sigmoid_grad{"log_sigmoid_backward", For("grad_output", LogSigmoidGrad),
                                For("self", LogSigmoidSelf)};
Tensor LogitGrad(const Grad& g, Unsaved, const Tensor& self, Optional<double> eps) {
  return logit_backward(g, self, eps);
}
// 1/(x(1 - x)) has the slope (2x - 1)/(x(1 - x))².
Tensor LogitSelf(const Grad& g, const Tensor& grad, const Tensor& self, Optional<double> eps) {
  const Tensor slope = reciprocal(mul(self, rsub(self, 1)));
  const Tensor curve = mul(mul(slope, slope), sub(mul(self, 2), 1));
  const Tensor all = mul(mul(g, grad), curve);
  if (!eps) return all;
  return where(logical_or(lt(self, *eps), gt(self, 1 - *eps)), 0, all);
}
const Gradient logit_grad{"logit_backward", For("grad_output", LogitGrad), For("self", LogitSelf)};

// y = a σ(b): passes back (g s, g a s(1 - s)).
void GluGrad(const Grad& g, const Tensor& grad, const Tensor& self, int64_t dim, Gradients& out) {
  const int64_t half = self.size(dim) / 2;
  const Tensor a = narrow(self, dim, 0, half), s = sigmoid(narrow(self, dim, half, half));
  const Tensor of_a = narrow(g, dim, 0, half), of_b = narrow(g, dim, half, half);
  const Tensor ds = mul(s, rsub(s, 1));
  if (out.needs(0)) out.Set(0, add(mul(of_a, s), mul(mul(of_b, a), ds)));
  if (out.needs(1)) {
    const Tensor dds = mul(ds, rsub(mul(s, 2), 1));
    const Tensor first = mul(mul(of_b, grad), ds);
    const Tensor second = add(mul(mul(of_a, grad), ds), mul(mul(mul(of_b, grad), a), dds));
    out.Set(1, cat({first, second}, dim));
  }
}
const Gradient glu_grad{"glu_backward", ForAll({"grad_output", "self"}, GluGrad)};

// Passes back (g or g w, g x where x ≤ 0).
void PreluGrad(const Grad& g, const Tensor& grad, const Tensor& self, const Tensor& weight,
               Gradients& out) {
  const Tensor right = gt(self, 0);
  const Tensor of_self = g.or_zeros(0), of_weight = g.or_zeros(1);
  if (out.needs(0)) {
    out.Set(
        0, add(where(right, of_self, mul(of_self, weight)), where(right, 0, mul(of_weight, self))));
  }
  if (out.needs(1)) out.Set(1, where(right, 0, mul(of_weight, grad)));
  if (out.needs(2)) out.Set(2, where(right, 0, mul(of_self, grad)));
}
const Gradient prelu_grad{"_prelu_kernel_backward",
                          ForAll({"grad_output", "self", "weight"}, PreluGrad)};

}  // namespace
}  // namespace sy
