// Matrix product of tensors of any rank: of the last two dimensions, batches of the others, which
// broadcast; a 1-d tensor is a row on the left and a column on the right, and that dimension goes
// from the result.
//   self: [.., m, k] or [k], other: [.., k, n] or [k], same dtype, not bool   →   [.., m, n]
// Errors: kInvalidArgument for 0-d tensors, when inner dimensions or dtypes differ, or batches do
// not broadcast.
// Example: sy::matmul(a, b)
// Source: ATen matmul, linalg_matmul.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator matmul_op{"matmul(Tensor self, Tensor other) -> Tensor", KeyRule::kPromote, kOut};
const Operator linalg_matmul_op{"linalg_matmul(Tensor self, Tensor other) -> Tensor",
                                KeyRule::kPromote, kOut};

}  // namespace sy
