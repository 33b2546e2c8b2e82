// The sum of the diagonal of a matrix.
//   self: [m, n]   →   [], int64 for integers and bool
// Errors: kInvalidArgument for another rank.
// Example: sy::trace(sy::ones({3, 3}))
// Source: ATen trace.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator trace_op{"trace(Tensor self) -> Tensor", KeyRule::kFirst, kOut};

}  // namespace sy
