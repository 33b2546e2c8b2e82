// Whether any element of self is not zero, along `dim` or altogether; False where there is none.
//   self: any sizes; dim: none, one or several dimensions (none: all; an empty list: each element
//   by itself)   →   the sizes left (reduced ones stay as 1 with keepdim); bool, uint8 for uint8
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument for out= that is neither bool
// nor uint8.
// Example: sy::any(x, 0)
// Source: ATen any.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator any_op{"any(Tensor self) -> Tensor", KeyRule::kFirst,
                      Out("all_out") | Tags(OperatorTag::kReduction)};
const Operator any_dim_op{"any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                          KeyRule::kFirst, Out("out") | Tags(OperatorTag::kReduction)};
const Operator any_dims_op{"any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
                           TruthShape, kOut | Tags(OperatorTag::kReduction)};

}  // namespace sy
