// A sparse tensor of positions and values (COO), which it shares: where the same position stands
// several times, the element is their sum. Without values, nothing is held and all elements are 0.
//   indices: integers [sparse_dim, nnz]; values: [nnz, dense sizes]; size: sparse_dim sizes, each
//   above the positions in its row, then the dense ones; without it, as small as they allow
//   →   layout sparse_coo, `dtype` or values' own
//   is_coalesced: positions are known to be sorted and to differ
// Errors: kInvalidArgument for ranks, sizes and numbers of positions that do not fit, and a layout
// that is not sparse_coo; kIndexOutOfRange for a position out of range.
// Example: sy::sparse_coo_tensor(index, src, {2, 3})
// Source: ATen sparse_coo_tensor, _sparse_coo_tensor_unsafe (which looks at no position).
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sparse_coo_tensor_size_op{
    "sparse_coo_tensor.size(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=False) -> Tensor"};
const Operator sparse_coo_tensor_indices_op{
    "sparse_coo_tensor.indices(Tensor indices, Tensor values, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor"};
const Operator sparse_coo_tensor_op{
    "sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size, *, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? "
    "is_coalesced=None) -> Tensor"};
const Operator sparse_coo_tensor_unsafe_op{
    "_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, SymInt[] size, *, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? "
    "is_coalesced=None) -> Tensor"};

}  // namespace sy
