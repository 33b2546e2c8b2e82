// What hardshrink passes back: 0 from -lambd to lambd, else grad_out.
//   grad_out, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for anything but
// floating tensors.
// Example: sy::hardshrink_backward(g, x, 0.5)
// Source: ATen hardshrink_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {
namespace {

void HardshrinkBackwardShape(PointwiseContext& r, const TensorBase& grad_out,
                             const TensorBase& self, const Scalar& lambd) {
  BackwardShape(r, grad_out, self);
  RequireFits(r, lambd, grad_out, self, "lambd");
}

}  // namespace

const Operator hardshrink_backward_op{
    "hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor",
    HardshrinkBackwardShape,
    Out("hardshrink_backward.grad_input(Tensor grad_out, Tensor self, Scalar lambd, *, Tensor(a!) "
        "grad_input) -> Tensor(a!)"),
    kFormula<f::ShrinkBackward>};

}  // namespace sy
