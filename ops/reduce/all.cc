// Whether all elements of self are not zero, along `dim` or altogether; True where there is none.
//   self: any sizes; dim: none, one or several dimensions (none: all; an empty list: each element
//   by itself)   →   the sizes left (reduced ones stay as 1 with keepdim); bool, uint8 for uint8
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument for out= that is neither bool
// nor uint8.
// Example: sy::all(x, 0)
// Source: ATen all.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator all_op{"all(Tensor self) -> Tensor", KeyRule::kFirst,
                      Out("all_out") | Tags(OperatorTag::kReduction)};
const Operator all_dim_op{"all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                          KeyRule::kFirst, Out("out") | Tags(OperatorTag::kReduction)};
const Operator all_dims_op{"all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
                           TruthShape, kOut | Tags(OperatorTag::kReduction)};

}  // namespace sy
