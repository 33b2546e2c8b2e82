// Product of several matrices, in the order that takes the least work.
//   tensors: two or more matrices of one dtype, not bool, that fit each other; the first and the
//   last one may be vectors   →   rows of the first, columns of the last, without what is a vector
// chain_matmul takes one matrix too, and no vectors.
// Errors: kInvalidArgument when there are fewer than two, or ranks, sizes or dtypes do not fit.
// Example: sy::linalg_multi_dot({a, b, a})
// Source: ATen linalg_multi_dot, chain_matmul.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator multi_dot_op{"linalg_multi_dot(Tensor[] tensors) -> Tensor", KeyRule::kPromote,
                            kOut};
const Operator chain_matmul_op{"chain_matmul(Tensor[] matrices) -> Tensor", KeyRule::kPromote,
                               kOut};

}  // namespace sy
