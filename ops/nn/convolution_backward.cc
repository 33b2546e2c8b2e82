// What a convolution passes back to its input, weight and bias, as far as output_mask asks for
// them.
//   grad_output: sizes of the convolution's result; input, weight: what it was given, one floating
//   dtype; bias_sizes: of the bias, which change nothing; stride … groups: as convolution's
//   (convolution.cc); output_mask: of input, weight, bias   →   sizes and dtype of input, of
//   weight, and [o]; undefined where not asked for
// Errors: kInvalidArgument for what convolution refuses, and a grad_output of other sizes or
// another dtype; kNotImplemented for other dtypes.
// Example: sy::convolution_backward(g, x, y, {}, {1}, {0}, {1}, false, {0}, 1,
// std::array{true, true, true})
// Source: ATen convolution_backward.
#include "switchyard/op/operator.h"

namespace sy {

const Operator convolution_backward_op{
    "convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, "
    "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] "
    "output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    KeyRule::kFirst,
    Out("convolution_backward.out(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? "
        "bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
        "SymInt[] output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, "
        "Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))") |
        Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
