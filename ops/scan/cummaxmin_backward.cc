// What cummax and cummin pass back: each element gets the sum of the gradients of the positions
// that name it in `indices`.
//   grad, indices: sizes of input   →   like input
// Errors: kOutOfRange for dim and for indices out of range; kInvalidArgument for other sizes.
// Example: sy::cummaxmin_backward(y, x, sy::zeros({4}, DType::kInt64), 0)
// Source: ATen cummaxmin_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator cummaxmin_backward_op{
    "cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
