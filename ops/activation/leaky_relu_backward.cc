// What leaky_relu passes back: grad_output above 0, grad_output negative_slope elsewhere; by the
// argument, or by the result, which has the same sign unless the slope is negative.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for a result of a negative slope, for sizes that do not broadcast;
// kNotImplemented for anything but floating tensors.
// Example: sy::leaky_relu_backward(g, x, 0.01, false)
// Source: ATen leaky_relu_backward.
#include "switchyard/ops/activation/backward.h"

namespace sy {
namespace {

void LeakyReluBackwardShape(PointwiseContext& r, const TensorBase& grad_output,
                            const TensorBase& self, const Scalar& negative_slope,
                            bool self_is_result) {
  if (self_is_result && negative_slope.To<double>() < 0)
    r.Fail({"negative_slope must not be negative where self is the result, got ",
            negative_slope.str()});
  BackwardShape(r, self, grad_output);  // the result lies as self does, then as the gradient
  RequireFits(r, negative_slope, grad_output, self, "negative_slope");
}

}  // namespace

const Operator leaky_relu_backward_op{
    "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool "
    "self_is_result) -> Tensor",
    LeakyReluBackwardShape,
    Out("leaky_relu_backward.grad_input(Tensor grad_output, Tensor self, Scalar negative_slope, "
        "bool self_is_result, *, Tensor(a!) grad_input) -> Tensor(a!)")};

}  // namespace sy
