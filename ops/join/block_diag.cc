// A matrix with the given ones, one after the other, on its diagonal and zeros elsewhere.
//   tensors: at most 2-d each; a number is [1, 1], a vector one row   →   [sum of rows, sum of
//   columns], common dtype; [1, 0] of none
// Errors: kInvalidArgument for more dimensions.
// Example: sy::block_diag({a, b})
// Source: ATen block_diag.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator block_diag_op{"block_diag(Tensor[] tensors) -> Tensor", KeyRule::kPromote,
                             kOut | Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
