// Logarithm of the sum of the exponentials of self's elements along `dim`, without overflow on the
// way.
//   self: any sizes; integers and bool compute in the default dtype; dim: one or several dimensions
//   (none: all)   →   the sizes left (reduced ones stay as 1 with keepdim)
// Errors: kOutOfRange for a dimension out of range.
// Example: sy::logsumexp(x, {1})
// Source: ATen logsumexp, special_logsumexp.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator logsumexp_op{"logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
                            KeyRule::kFirst, kOut | Tags(OperatorTag::kReduction)};
const Operator special_logsumexp_op{
    "special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", KeyRule::kFirst,
    kOut};

}  // namespace sy
