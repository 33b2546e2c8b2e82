// What hardsigmoid passes back: grad_output / 6 where self is between -3 and 3, else 0.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for anything but
// floating tensors.
// Example: sy::hardsigmoid_backward(g, x)
// Source: ATen hardsigmoid_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {

const Operator hardsigmoid_backward_op{
    "hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor", BackwardShape,
    Out("hardsigmoid_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) "
        "grad_input) -> Tensor(a!)"),
    kFormula<f::HardsigmoidBackward>};

}  // namespace sy
