// What softshrink passes back: 0 from -lambd to lambd, else grad_output.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for anything but
// floating tensors.
// Example: sy::softshrink_backward(g, x, 0.5)
// Source: ATen softshrink_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {
namespace {

void SoftshrinkBackwardShape(PointwiseContext& r, const TensorBase& grad_output,
                             const TensorBase& self, const Scalar& lambd) {
  BackwardShape(r, grad_output, self);
  RequireFits(r, lambd, grad_output, self, "lambd");
}

}  // namespace

const Operator softshrink_backward_op{
    "softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor",
    SoftshrinkBackwardShape,
    Out("softshrink_backward.grad_input(Tensor grad_output, Tensor self, Scalar lambd, *, "
        "Tensor(a!) grad_input) -> Tensor(a!)"),
    kFormula<f::ShrinkBackward>};

}  // namespace sy
