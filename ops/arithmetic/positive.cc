// self itself: unary plus.
//   self: any sizes, any dtype but bool   →   self
// Errors: kInvalidArgument for bool.
// Example: sy::positive(x)
// Source: ATen positive.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator positive_op{"positive(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst,
                           Tags(OperatorTag::kPointwise)};

}  // namespace sy
