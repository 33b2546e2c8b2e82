// The sum of the diagonal of a matrix; trace_backward is its gradient, grad on the diagonal.
//   self: [m, n]   →   [], int64 for integers and bool; grad: 0-d; sizes: 2   →   sizes
// Errors: kInvalidArgument for another rank.
// Example: sy::trace(sy::ones({3, 3}))
// Source: ATen trace, trace_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator trace_op{"trace(Tensor self) -> Tensor", KeyRule::kFirst,
                        kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator trace_backward_op{"trace_backward(Tensor grad, SymInt[] sizes) -> Tensor",
                                 KeyRule::kFirst};

}  // namespace sy
