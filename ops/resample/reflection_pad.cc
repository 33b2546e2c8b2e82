// self with a border of its own elements, mirrored without the outermost, and what that passes
// back. Negative widths cut off.
//   self: [n, c, ..] or [c, ..] with 1, 2 or 3 last dimensions, numbers, no integers
//   where there is a gradient;
//   padding: left and right of the last dimension, then of the one before, …; narrower than the
//   dimension   →   self's sizes and the widths; backward: grad_output has these, the result is
//   like self
// Errors: kInvalidArgument for other ranks, empty dimensions but the batch, as many widths as do
// not fit, widths that leave nothing or cannot be filled, and another grad_output; kNotImplemented
// for bool and other dtypes.
// Example: sy::reflection_pad1d(x, {1, 1})
// Source: ATen reflection_pad1d, reflection_pad2d, reflection_pad3d, reflection_pad1d_backward,
// reflection_pad2d_backward, reflection_pad3d_backward.
#include "switchyard/ops/resample/padding.h"

namespace sy {

const Operator reflection_pad1d_op{"reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor",
                                   PadShape<1, true>, kOut};
const Operator reflection_pad1d_backward_op{
    "reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor",
    PadBackwardShape<1, true>,
    Out("reflection_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] padding, "
        "*, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator reflection_pad2d_op{"reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor",
                                   PadShape<2, true>, kOut};
const Operator reflection_pad2d_backward_op{
    "reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor",
    PadBackwardShape<2, true>,
    Out("reflection_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] padding, "
        "*, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator reflection_pad3d_op{"reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor",
                                   PadShape<3, true>, kOut};
const Operator reflection_pad3d_backward_op{
    "reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor",
    PadBackwardShape<3, true>,
    Out("reflection_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] padding, "
        "*, Tensor(a!) grad_input) -> Tensor(a!)")};

}  // namespace sy
