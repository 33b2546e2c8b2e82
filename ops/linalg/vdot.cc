// Sum of the products of the conjugates of one vector's elements with the other's: of two vectors
// (vdot), or along a dimension (linalg_vecdot).
//   vdot: [n] and [n], one dtype, not bool   →   0-d
//   linalg_vecdot: floating or complex, sizes that broadcast   →   the common sizes without dim
// Errors: kInvalidArgument when sizes or dtypes do not fit; kOutOfRange for dim.
// Example: sy::vdot(a, b)
// Source: ATen vdot, linalg_vecdot.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator vdot_op{"vdot(Tensor self, Tensor other) -> Tensor", KeyRule::kFirst,
                       kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator vecdot_op{"linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor",
                         KeyRule::kPromote, kOut};

}  // namespace sy
