// grad (P(x) + x p(x)), with the normal distribution's P and density p.

#include <cmath>
#include <numbers>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor GeluBackward(Call, const Tensor& grad, const Tensor& self) {
  const double scale = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  const Tensor density = mul(exp(mul(mul(self, self), -0.5)), scale);
  const Tensor probability = mul(add(erf(mul(self, 1 / std::numbers::sqrt2)), 1), 0.5);
  return mul(grad, add(probability, mul(self, density)));
}
const Composite gelu_backward_body{"infinitely_differentiable_gelu_backward", GeluBackward};

}  // namespace
}  // namespace sy
