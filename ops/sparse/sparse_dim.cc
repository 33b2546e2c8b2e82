// Questions about what a sparse tensor is held as: _nnz how many elements (of a compressed one how
// many in each batch, or blocks), sparse_dim and dense_dim how many of its dimensions are sparse
// and dense, is_coalesced whether positions are known to be sorted and to differ.
//   self: any layout; _nnz: a sparse one; is_coalesced: sparse_coo   →   an int or a bool; strided
//   tensors have 0 sparse dimensions, and all of them are dense
// Errors: kInvalidArgument for another layout.
// Example: sy::_nnz(sy::to_sparse(x))
// Source: ATen _nnz, sparse_dim, dense_dim, _dimI, _dimV, is_coalesced.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator nnz_op{"_nnz(Tensor self) -> int", KeyRule::kFirst};
const Operator sparse_dim_op{"sparse_dim(Tensor self) -> int", KeyRule::kFirst};
const Operator dense_dim_op{"dense_dim(Tensor self) -> int", KeyRule::kFirst};
const Operator dim_i_op{"_dimI(Tensor self) -> int", KeyRule::kFirst};
const Operator dim_v_op{"_dimV(Tensor self) -> int", KeyRule::kFirst};
const Operator is_coalesced_op{"is_coalesced(Tensor self) -> bool", KeyRule::kFirst};

}  // namespace sy
