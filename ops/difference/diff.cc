// Differences of neighbours along a dimension, n times over; of bool tensors, whether they differ.
//   self: at least 1-d; prepend, append: joined to self first, unless n is 0   →   n positions less
//   at dim
// Errors: kInvalidArgument for a 0-d tensor, a negative n, or sizes of prepend or append that do
// not fit self's; kOutOfRange for dim.
// Example: sy::diff(x)
// Source: ATen diff.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator diff_op{
    "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
    KeyRule::kPromote, kOut};

}  // namespace sy
