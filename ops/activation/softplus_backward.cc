// What softplus passes back: grad_output z / (z + 1), z being e^(beta self); grad_output where beta
// self is above the threshold.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for anything but
// floating tensors.
// Example: sy::softplus_backward(g, x, 1, 20)
// Source: ATen softplus_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {
namespace {

void SoftplusBackwardShape(PointwiseContext& r, const TensorBase& grad_output,
                           const TensorBase& self, const Scalar& beta, const Scalar& threshold) {
  BackwardShape(r, grad_output, self);
  RequireFits(r, beta, grad_output, self, "beta");
  RequireFits(r, threshold, grad_output, self, "threshold");
}

}  // namespace

const Operator softplus_backward_op{
    "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor",
    SoftplusBackwardShape,
    Out("softplus_backward.grad_input(Tensor grad_output, Tensor self, Scalar beta, Scalar "
        "threshold, *, Tensor(a!) grad_input) -> Tensor(a!)"),
    kFormula<f::SoftplusBackward>};

}  // namespace sy
