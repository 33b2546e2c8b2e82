// A sparse tensor of compressed rows (CSR, BSR) or columns (CSC, BSC), which it shares: row i holds
// the plain indices and values from compressed_indices[i] to compressed_indices[i + 1] - 1. Those
// of blocks hold a block in place of an element. sparse_compressed_tensor takes the layout as such.
//   compressed_indices: [batch.., rows + 1]; plain_indices: [batch.., nnz], of the same dtype,
//   int64 or int32; values: [batch.., nnz, (block sizes,) dense sizes]; size: [batch.., rows,
//   columns, dense sizes]; without it, as small as the positions allow
//   →   the layout, `dtype` or values' own
// Errors: kInvalidArgument for ranks, sizes, dtypes and another layout that do not fit, and for
// compressed indices that do not begin with 0, end with nnz and rise; kIndexOutOfRange for plain
// ones out of range, or not rising within a row.
// Example: sy::sparse_csr_tensor(index, index, src, {2, 3})
// Source: ATen sparse_csr_tensor, sparse_csc_tensor, sparse_bsr_tensor, sparse_bsc_tensor,
// sparse_compressed_tensor.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sparse_csr_tensor_size_op{
    "sparse_csr_tensor.crow_col_value_size(Tensor crow_indices, Tensor col_indices, Tensor values, "
    "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=False) -> Tensor"};
const Operator sparse_csr_tensor_op{
    "sparse_csr_tensor.crow_col_value(Tensor crow_indices, Tensor col_indices, Tensor values, *, "
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> "
    "Tensor"};
const Operator sparse_csc_tensor_size_op{
    "sparse_csc_tensor.ccol_row_value_size(Tensor ccol_indices, Tensor row_indices, Tensor values, "
    "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=False) -> Tensor"};
const Operator sparse_csc_tensor_op{
    "sparse_csc_tensor.ccol_row_value(Tensor ccol_indices, Tensor row_indices, Tensor values, *, "
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> "
    "Tensor"};
const Operator sparse_bsr_tensor_size_op{
    "sparse_bsr_tensor.crow_col_value_size(Tensor crow_indices, Tensor col_indices, Tensor values, "
    "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=False) -> Tensor"};
const Operator sparse_bsr_tensor_op{
    "sparse_bsr_tensor.crow_col_value(Tensor crow_indices, Tensor col_indices, Tensor values, *, "
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> "
    "Tensor"};
const Operator sparse_bsc_tensor_size_op{
    "sparse_bsc_tensor.ccol_row_value_size(Tensor ccol_indices, Tensor row_indices, Tensor values, "
    "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=False) -> Tensor"};
const Operator sparse_bsc_tensor_op{
    "sparse_bsc_tensor.ccol_row_value(Tensor ccol_indices, Tensor row_indices, Tensor values, *, "
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> "
    "Tensor"};
const Operator sparse_compressed_tensor_size_op{
    "sparse_compressed_tensor.comp_plain_value_size(Tensor compressed_indices, Tensor "
    "plain_indices, Tensor values, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=False) -> Tensor"};
const Operator sparse_compressed_tensor_op{
    "sparse_compressed_tensor.comp_plain_value(Tensor compressed_indices, Tensor plain_indices, "
    "Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=False) -> Tensor"};

}  // namespace sy
