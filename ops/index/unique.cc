// The different elements of self, or its different slices along `dim`; where asked, where each went
// and how often it occurs. unique_consecutive and unique_dim_consecutive only merge neighbours.
//   self: any sizes   →   unique values, 1-d (or slices along dim); inverse: int64, sizes of self
//   (or [n]); counts: int64, one for each value. Without dim, what is not asked for is
//   empty. sorted: values come in ascending order either way; NaN is last and differs from itself
// Errors: kOutOfRange when dim is out of range; kInvalidArgument when dim is given for a 0-d
// tensor, and when a size other than that at dim is 0, for then slices have no elements to compare.
// Example: auto [values, inverse, counts] = sy::_unique2(x, true, true, true)
// Source: ATen _unique, _unique2, unique_dim, unique_consecutive, unique_dim_consecutive.
#include "switchyard/ops/shape_functions.h"

namespace sy {

// How many values there are depends on the data: kernels return the results.
const Operator unique_op{
    "_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kDynamicOutputShape)};
const Operator unique2_op{
    "_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) "
    "-> (Tensor, Tensor, "
    "Tensor)",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kDynamicOutputShape)};
const Operator unique_dim_op{
    "unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool "
    "return_counts=False) -> (Tensor, "
    "Tensor, Tensor)",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kDynamicOutputShape)};
const Operator unique_consecutive_op{
    "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? "
    "dim=None) -> (Tensor, "
    "Tensor, Tensor)",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kDynamicOutputShape)};
const Operator unique_dim_consecutive_op{
    "unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool "
    "return_counts=False) -> (Tensor, Tensor, Tensor)",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kDynamicOutputShape)};

}  // namespace sy
