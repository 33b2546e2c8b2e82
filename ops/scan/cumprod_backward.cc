// What cumprod passes back: for each element, the sum over the products that have it as a factor
// of their gradient times their other factors.
//   grad, input: any sizes; output: cumprod(input, dim)   →   like input
// Errors: kOutOfRange for dim; kInvalidArgument for sizes that do not broadcast.
// Example: sy::cumprod_backward(y, x, 0, sy::cumprod(x, 0))
// Source: ATen cumprod_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator cumprod_backward_op{
    "cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
