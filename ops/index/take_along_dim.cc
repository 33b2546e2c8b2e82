// The elements of self along a dimension at the positions `indices` says, which broadcast with self
// in the others, and those out of range wrap around; without dim, of self as a vector.
//   self: any sizes; indices: int64, as many dimensions as self   →   common sizes, at dim those of
//   indices
// Errors: kInvalidArgument for another dtype or rank, kOutOfRange for dim, kIndexOutOfRange for a
// position out of range without dim, or where there is none.
// Example: sy::take_along_dim(x, sy::zeros({2, 1}, DType::kInt64), 1)
// Source: ATen take_along_dim.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator take_along_dim_op{
    "take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
