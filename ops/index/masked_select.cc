// The elements of self where mask is true, in row-major order.
//   self, mask: sizes that broadcast; mask: bool   →   [number of true], dtype of self
// Errors: kInvalidArgument when mask is not bool or sizes do not broadcast.
// Example: sy::masked_select(x, sy::gt(x, 0))
// Source: ATen masked_select.
#include "switchyard/ops/shape_functions.h"

namespace sy {

// How many there are depends on the data: the kernel returns the result.
const Operator masked_select_op{"masked_select(Tensor self, Tensor mask) -> Tensor",
                                KeyRule::kFirst, kOut | Tags(OperatorTag::kDynamicOutputShape)};

}  // namespace sy
