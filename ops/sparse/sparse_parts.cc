// What a sparse tensor is held as: positions and values, which are shared. indices and values are
// those of a coalesced tensor; _indices and _values do not ask. Those of compressed tensors are
// crow_indices and col_indices of rows, ccol_indices and row_indices of columns.
//   self: of the layout that has them   →   indices [sparse_dim, nnz], values [nnz, dense sizes],
//   crow_indices [batch.., rows + 1], col_indices [batch.., nnz], and the same of columns
// Errors: kInvalidArgument for another layout, and for tensors that are not coalesced.
// Example: sy::values(sy::to_sparse(x))
// Source: ATen indices, values, _indices, _values, crow_indices, col_indices, ccol_indices,
// row_indices.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator indices_op{"indices(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator values_op{"values(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator indices_held_op{"_indices(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator values_held_op{"_values(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator crow_indices_op{"crow_indices(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator col_indices_op{"col_indices(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator ccol_indices_op{"ccol_indices(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator row_indices_op{"row_indices(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};

}  // namespace sy
