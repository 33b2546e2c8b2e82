// Puts the elements of a pool of largest elements back where its indices say, among zeros.
//   self: [n, c, ..] or [c, ..] with 2 or 3 last dimensions, floating; indices: int64, the sizes of
//   self, positions in the output's last dimensions counted as one; output_size: the output's last
//   dimensions; max_unpool3d: stride, padding: of the pool, three numbers, the first positive;
//   they change nothing   →   [n, c, ..], zeros but at the indices; of equal ones the last counts
// Errors: kInvalidArgument for other ranks, empty dimensions but the batch, sizes or numbers that
// do not fit; kIndexOutOfRange for an index out of range; kNotImplemented for other dtypes.
// Example: sy::max_unpool2d(x, index, {4, 4})
// Source: ATen max_unpool2d, max_unpool3d.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator max_unpool2d_op{
    "max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor", KeyRule::kFirst,
    kOut};
const Operator max_unpool3d_op{
    "max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] "
    "padding) -> Tensor",
    KeyRule::kFirst, kOut};

}  // namespace sy
