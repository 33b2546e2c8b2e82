// What group_norm passes back to input, weight and bias, as far as output_mask asks for it.
//   grad_out, input: the same sizes, of N C HxW elements, and floating dtype; mean, rstd: [N,
//   group]; weight: [C] or absent   →   like input, like weight twice; what is not asked for is
//   undefined
// Errors: kInvalidArgument for sizes or dtypes that do not fit, and gradients of weight and bias
// without a weight; kNotImplemented for other dtypes.
// Example: sy::native_group_norm_backward(g, x, a, b, {}, 2, 3, 4, 1, std::array{true, true, true})
// Source: ATen native_group_norm_backward.
#include "switchyard/op/operator.h"

namespace sy {

// Without shape functions, whose outputs are all defined.
const Operator native_group_norm_backward_op{
    "native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? "
    "weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, "
    "Tensor)",
    KeyRule::kFirst,
    Out("native_group_norm_backward.out(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, "
        "Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask, *, "
        "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), "
        "Tensor(c!))")};

}  // namespace sy
