// What hardtanh passes back: grad_output where self is between the limits, 0 at them and beyond.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for anything but
// floating tensors.
// Example: sy::hardtanh_backward(g, x, -1, 1)
// Source: ATen hardtanh_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {
namespace {

void HardtanhBackwardShape(PointwiseContext& r, const TensorBase& grad_output,
                           const TensorBase& self, const Scalar& min_val, const Scalar& max_val) {
  BackwardShape(r, grad_output, self);
  RequireFits(r, min_val, grad_output, self, "min_val");
  RequireFits(r, max_val, grad_output, self, "max_val");
}

}  // namespace

const Operator hardtanh_backward_op{
    "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor",
    HardtanhBackwardShape,
    Out("hardtanh_backward.grad_input(Tensor grad_output, Tensor self, Scalar min_val, Scalar "
        "max_val, *, Tensor(a!) grad_input) -> Tensor(a!)"),
    kFormula<f::HardtanhBackward>};

}  // namespace sy
