// Sums of products over several dimensions of both tensors (tensordot), or over the last ones
// (inner).
//   self, other: any sizes, one dtype, not bool; dims_self, dims_other: as many, each pair of one
//   size, or 1 on one side   →   the dimensions of self that are left, then those of other
// inner of a 0-d tensor multiplies; that of two vectors of bool says whether both are true
// anywhere.
// Errors: kInvalidArgument when sizes, dtypes or numbers of dims differ; kOutOfRange for a
// dimension out of range.
// Example: sy::tensordot(a, b, {1}, {0})
// Source: ATen tensordot, inner.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator tensordot_op{
    "tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator inner_op{"inner(Tensor self, Tensor other) -> Tensor", KeyRule::kFirst, kOut};

}  // namespace sy
