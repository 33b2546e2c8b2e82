// What gelu passes back, made of operators that have derivatives of every order.
//   grad, self: sizes that broadcast; integers compute in the default dtype   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast.
// Example: sy::infinitely_differentiable_gelu_backward(g, x)
// Source: ATen infinitely_differentiable_gelu_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator infinitely_differentiable_gelu_backward_op{
    "infinitely_differentiable_gelu_backward(Tensor grad, Tensor self) -> Tensor", KeyRule::kFirst};

}  // namespace sy
