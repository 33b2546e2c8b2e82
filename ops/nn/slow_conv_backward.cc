// What a convolution of two dimensions without groups passes back: a second name of
// convolution_backward.
//   grad_output: [n, o, h, w]; self: [n, c, ..], weight: [o, c, ..] with kernels of kernel_size, or
//   [o, c kernel_h kernel_w], one floating dtype; stride, padding: one or two numbers; output_mask:
//   of self, weight, bias   →   sizes of self, of weight, and [o]; undefined where not asked for
// Errors: kInvalidArgument for what convolution_backward refuses, and a weight that is not of
// kernel_size; kNotImplemented for other dtypes.
// Example: sy::_slow_conv2d_backward(g, x, y, {1, 1}, {1, 1}, {0, 0}, std::array{true, true, true})
// Source: ATen _slow_conv2d_backward.
#include "switchyard/op/operator.h"

namespace sy {

const Operator slow_conv2d_backward_op{
    "_slow_conv2d_backward.output_mask(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] "
    "kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask) -> (Tensor grad_input, "
    "Tensor grad_weight, Tensor grad_bias)",
    KeyRule::kFirst,
    Out("_slow_conv2d_backward.output_mask_out(Tensor grad_output, Tensor self, Tensor weight, "
        "SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask, *, "
        "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), "
        "Tensor(c!))") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator slow_conv2d_backward_into_op{
    "_slow_conv2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor weight, SymInt[2] "
    "kernel_size, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) grad_input, Tensor(b!) "
    "grad_weight, Tensor(c!) grad_bias) -> (Tensor(a!), Tensor(b!), Tensor(c!))"};

}  // namespace sy
