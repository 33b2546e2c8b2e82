// What silu passes back: grad_output s (1 + self (1 - s)), s being the sigmoid of self.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for anything but
// floating tensors.
// Example: sy::silu_backward(g, x)
// Source: ATen silu_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {

const Operator silu_backward_op{"silu_backward(Tensor grad_output, Tensor self) -> Tensor",
                                BackwardShape,
                                Out("silu_backward.grad_input(Tensor grad_output, Tensor self, *, "
                                    "Tensor(a!) grad_input) -> Tensor(a!)"),
                                kFormula<f::SiluBackward>};

}  // namespace sy
