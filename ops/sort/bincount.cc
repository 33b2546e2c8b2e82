// How often each number from 0 on occurs, or the sum of the weights of its occurrences.
//   self: [n], integers >= 0; weights: [n]   →   [max(minlength, largest + 1)], int64; with weights
//   float32 where they are, else float64
// Errors: kInvalidArgument when self is not 1-d, weights has another size, or minlength is
// negative; kInvalidValue for a negative number; kDataDependent on meta.
// Example: sy::bincount(index)
// Source: ATen bincount.
#include "switchyard/ops/shape_functions.h"

namespace sy {

// How long the result is depends on the data: kernels return it.
const Operator bincount_op{
    "bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kDynamicOutputShape)};

}  // namespace sy
