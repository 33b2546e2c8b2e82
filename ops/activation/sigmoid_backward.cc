// What sigmoid passes back, by its result: grad_output (1 - output) output; of complex
// numbers the conjugate of what grad_output is multiplied by.
//   grad_output, output: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for integers and bool.
// Example: sy::sigmoid_backward(g, sy::sigmoid(x))
// Source: ATen sigmoid_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {

const Operator sigmoid_backward_op{"sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
                                   BinaryOf<kFloatingTypes | kComplexTypes>,
                                   Out("sigmoid_backward.grad_input(Tensor grad_output, Tensor "
                                       "output, *, Tensor(a!) grad_input) -> Tensor(a!)"),
                                   kFormula<f::SigmoidBackward>};

}  // namespace sy
