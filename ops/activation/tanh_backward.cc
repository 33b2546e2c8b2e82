// What tanh passes back, by its result: grad_output (1 - output^2); of complex
// numbers the conjugate of what grad_output is multiplied by.
//   grad_output, output: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for integers and bool.
// Example: sy::tanh_backward(g, sy::tanh(x))
// Source: ATen tanh_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {

const Operator tanh_backward_op{"tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
                                BinaryOf<kFloatingTypes | kComplexTypes>,
                                Out("tanh_backward.grad_input(Tensor grad_output, Tensor output, "
                                    "*, Tensor(a!) grad_input) -> Tensor(a!)"),
                                kFormula<f::TanhBackward>};

}  // namespace sy
