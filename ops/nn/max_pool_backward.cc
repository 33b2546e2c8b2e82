// What pools of largest elements pass back: each window's gradient goes to the element of self that
// its index points at; several add up.
// max_pool2d_backward takes no indices: it pools again.
//   grad_output, indices, int64: sizes of the pool's results; self: what was pooled, floating, and
//   the arguments that it was pooled with (max_pool.cc, fractional_max_pool.cc)   →   sizes and
//   dtype of self
// Errors: kInvalidArgument for what the pool refuses, a grad_output or indices of other sizes or
// another dtype; kIndexOutOfRange for an index out of range; kNotImplemented for other dtypes.
// Example: sy::adaptive_max_pool2d_backward(y, x, index)
// Source: ATen max_pool2d_backward, max_pool2d_with_indices_backward,
// max_pool3d_with_indices_backward, adaptive_max_pool2d_backward, adaptive_max_pool3d_backward,
// fractional_max_pool2d_backward, fractional_max_pool3d_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator max_pool2d_again_op{
    "max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride=[], "
    "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator max_pool2d_backward_op{
    "max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] "
    "stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor",
    KeyRule::kFirst,
    Out("max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[2] "
        "kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor "
        "indices, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator max_pool3d_backward_op{
    "max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] "
    "stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor",
    KeyRule::kFirst,
    Out("max_pool3d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[3] "
        "kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor "
        "indices, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator adaptive_max_pool2d_backward_op{
    "adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
    KeyRule::kFirst,
    Out("adaptive_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor indices, "
        "*, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator adaptive_max_pool3d_backward_op{
    "adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
    KeyRule::kFirst,
    Out("adaptive_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, Tensor indices, "
        "*, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator fractional_max_pool2d_backward_op{
    "fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] "
    "output_size, Tensor indices) -> Tensor",
    KeyRule::kFirst,
    Out("fractional_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] "
        "kernel_size, int[2] output_size, Tensor indices, *, Tensor(a!) grad_input) -> "
        "Tensor(a!)")};
const Operator fractional_max_pool3d_backward_op{
    "fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] "
    "output_size, Tensor indices) -> Tensor",
    KeyRule::kFirst,
    Out("fractional_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] "
        "kernel_size, int[3] output_size, Tensor indices, *, Tensor(a!) grad_input) -> "
        "Tensor(a!)")};

}  // namespace sy
