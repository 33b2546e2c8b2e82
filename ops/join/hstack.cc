// Joins tensors side by side: hstack along dimension 1 (0 of 1-d tensors), vstack (row_stack) along
// 0 after making them at least 2-d, dstack along 2 after 3-d; column_stack is hstack of vectors as
// columns.
//   tensors: one or more that cat takes then   →   as cat
// Errors: kInvalidArgument for no tensors; else as cat.
// Example: sy::hstack({a, b})
// Source: ATen hstack, vstack, row_stack, dstack, column_stack.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator hstack_op{"hstack(Tensor[] tensors) -> Tensor", KeyRule::kPromote, kOut};
const Operator vstack_op{"vstack(Tensor[] tensors) -> Tensor", KeyRule::kPromote, kOut};
const Operator row_stack_op{"row_stack(Tensor[] tensors) -> Tensor", KeyRule::kPromote, kOut};
const Operator dstack_op{"dstack(Tensor[] tensors) -> Tensor", KeyRule::kPromote, kOut};
const Operator column_stack_op{"column_stack(Tensor[] tensors) -> Tensor", KeyRule::kPromote, kOut};

}  // namespace sy
