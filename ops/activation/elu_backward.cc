// What elu passes back, by its argument or by its result.
//   grad_output, self_or_result: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for a result of a negative alpha, for sizes that do not broadcast;
// kNotImplemented for anything but floating tensors.
// Example: sy::elu_backward(g, 1, 1, 1, false, x)
// Source: ATen elu_backward.
#include "switchyard/ops/activation/backward.h"

namespace sy {
namespace {

void EluBackwardShape(PointwiseContext& r, const TensorBase& grad_output, const Scalar& alpha,
                      const Scalar& scale, const Scalar& input_scale, bool is_result,
                      const TensorBase& self_or_result) {
  if (is_result && alpha.To<double>() < 0)
    r.Fail({"alpha must not be negative where self_or_result is the result, got ", alpha.str()});
  BackwardShape(r, grad_output, self_or_result);
  RequireFits(r, alpha, grad_output, self_or_result, "alpha");
  RequireFits(r, scale, grad_output, self_or_result, "scale");
  RequireFits(r, input_scale, grad_output, self_or_result, "input_scale");
}

}  // namespace

const Operator elu_backward_op{
    "elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool "
    "is_result, Tensor self_or_result) -> Tensor",
    EluBackwardShape,
    Out("elu_backward.grad_input(Tensor grad_output, Scalar alpha, Scalar scale, Scalar "
        "input_scale, bool is_result, Tensor self_or_result, *, Tensor(a!) grad_input) -> "
        "Tensor(a!)")};

}  // namespace sy
