// What hardswish passes back: 0 up to -3, grad_output from 3 on, grad_output (self / 3 + 1 / 2)
// between.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for anything but
// floating tensors.
// Example: sy::hardswish_backward(g, x)
// Source: ATen hardswish_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {

const Operator hardswish_backward_op{
    "hardswish_backward(Tensor grad_output, Tensor self) -> Tensor", BackwardShape,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut),
    kFormula<f::HardswishBackward>};

}  // namespace sy
