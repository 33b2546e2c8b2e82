// Sum of a sparse tensor's elements, or along dimensions of it. sum takes sparse tensors as well.
//   self: sparse_coo; dim: at least one   →   without dim, or where all sparse dimensions go, a
//   strided tensor; else sparse_coo without these dimensions; `dtype` if given
// Errors: kInvalidArgument for another layout and no dim; kOutOfRange for a dim out of range.
// Example: sy::_sparse_sum(sy::to_sparse(x), {0})
// Source: ATen _sparse_sum.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sparse_sum_op{"_sparse_sum(Tensor self) -> Tensor", KeyRule::kFirst};
const Operator sparse_sum_dtype_op{"_sparse_sum.dtype(Tensor self, *, ScalarType dtype) -> Tensor",
                                   KeyRule::kFirst};
const Operator sparse_sum_dim_op{"_sparse_sum.dim(Tensor self, int[1] dim) -> Tensor",
                                 KeyRule::kFirst};
const Operator sparse_sum_dim_dtype_op{
    "_sparse_sum.dim_dtype(Tensor self, int[1] dim, *, ScalarType dtype) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
