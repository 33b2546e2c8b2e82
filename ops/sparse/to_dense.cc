// A strided tensor of the same elements; self where it is strided already.
//   self: any layout   →   like self, strided, row-major; `dtype` if given
// Example: sy::to_dense(sy::to_sparse(x))
// Source: ATen to_dense.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator to_dense_op{
    "to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor",
    KeyRule::kFirst, Tags(OperatorTag::kMaybeAliasingOrMutating)};

}  // namespace sy
