// What layer_norm passes back to input, weight and bias, as far as output_mask asks for it.
//   grad_out, input: the same sizes, which end with normalized_shape, and floating dtype; mean,
//   rstd: an element for each row; weight, bias: normalized_shape or absent   →   like input, like
//   weight, like bias; what is not asked for is undefined
// Errors: kInvalidArgument for sizes or dtypes that do not fit, and gradients of a weight or bias
// that is not there; kNotImplemented for other dtypes.
// Example: sy::native_layer_norm_backward(g, x, {3}, a, b, {}, {}, std::array{true, true, true})
// Source: ATen native_layer_norm_backward.
#include "switchyard/op/operator.h"

namespace sy {

// Without shape functions, whose outputs are all defined.
const Operator native_layer_norm_backward_op{
    "native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor "
    "mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, "
    "Tensor)",
    KeyRule::kFirst,
    Out("native_layer_norm_backward.out(Tensor grad_out, Tensor input, SymInt[] normalized_shape, "
        "Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask, *, "
        "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), "
        "Tensor(c!))") |
        Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
