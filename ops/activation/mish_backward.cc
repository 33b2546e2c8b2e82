// What mish passes back.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for anything but
// floating tensors.
// Example: sy::mish_backward(g, x)
// Source: ATen mish_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {

const Operator mish_backward_op{"mish_backward(Tensor grad_output, Tensor self) -> Tensor",
                                BackwardShape,
                                {},
                                kFormula<f::MishBackward>};

}  // namespace sy
