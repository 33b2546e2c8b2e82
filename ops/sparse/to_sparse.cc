// The elements that are not 0, as a sparse tensor of a layout; of a sparse tensor the same elements
// in another layout. With dense_dim, or fewer sparse_dim than there are dimensions, elements are
// dense slices, held where any of theirs is not 0.
//   self: any sizes; compressed layouts: [batch.., rows, columns, dense sizes], batches of as many
//   elements each; blocksize: of BSR and BSC, divides rows and columns   →   that layout
// Errors: kInvalidArgument for ranks, dims and blocks that do not fit, for batches of different
// numbers of elements, and conversions from a sparse layout to another number of sparse dimensions.
// Example: sy::to_sparse(x)
// Source: ATen to_sparse, to_sparse_csr, to_sparse_csc, to_sparse_bsr, to_sparse_bsc.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator to_sparse_dim_op{"to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor",
                                KeyRule::kFirst};
const Operator to_sparse_op{
    "to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? dense_dim=None) "
    "-> Tensor",
    KeyRule::kFirst};
const Operator to_sparse_csr_op{"to_sparse_csr(Tensor self, int? dense_dim=None) -> Tensor",
                                KeyRule::kFirst};
const Operator to_sparse_csc_op{"to_sparse_csc(Tensor self, int? dense_dim=None) -> Tensor",
                                KeyRule::kFirst};
const Operator to_sparse_bsr_op{
    "to_sparse_bsr(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor", KeyRule::kFirst};
const Operator to_sparse_bsc_op{
    "to_sparse_bsc(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor", KeyRule::kFirst};

}  // namespace sy
