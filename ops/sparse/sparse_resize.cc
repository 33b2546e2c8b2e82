// Gives a sparse tensor other sizes, and as many sparse and dense dimensions as said: positions
// stay, and the dense sizes of values change; and_clear lets go of all elements. resize_as_sparse_
// takes both from a tensor, copy_sparse_to_sparse_ all it holds.
//   self: sparse_coo; size: sparse_dim + dense_dim sizes, >= 0   →   self
// Errors: kInvalidArgument for another layout or count of sizes, and, where elements are held, for
// sizes below the present ones and another number of sparse or dense dimensions.
// Example: sy::sparse_resize_(sy::to_sparse(x), {4, 4}, 2, 0)
// Source: ATen sparse_resize_, sparse_resize_and_clear_, resize_as_sparse_, copy_sparse_to_sparse_.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sparse_resize_op{
    "sparse_resize_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> Tensor(a!)",
    KeyRule::kFirst};
const Operator sparse_resize_and_clear_op{
    "sparse_resize_and_clear_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> "
    "Tensor(a!)",
    KeyRule::kFirst};
const Operator resize_as_sparse_op{
    "resize_as_sparse_(Tensor(a!) self, Tensor the_template) -> Tensor(a!)", KeyRule::kFirst};
const Operator copy_sparse_to_sparse_op{
    "copy_sparse_to_sparse_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
