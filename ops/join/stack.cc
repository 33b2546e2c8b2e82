// Joins tensors of the same sizes along a new dimension.
//   tensors: one or more of the same sizes, dtypes that promote; dim: -dim()-1 … dim()   →   one
//   dimension more
// Errors: kInvalidArgument for no tensors or sizes that differ, kOutOfRange for dim.
// Example: sy::stack({a, b})
// Source: ATen stack.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator stack_op{"stack(Tensor[] tensors, int dim=0) -> Tensor", KeyRule::kPromote, kOut};

}  // namespace sy
