// For each class number a row that is 1 there and 0 elsewhere.
//   self: int64, each 0 … num_classes - 1   →   self's sizes, then num_classes (-1: the largest
//   class and one more)
// Errors: kInvalidArgument for another dtype, no elements without num_classes, or num_classes of 0
// or below -1; kInvalidValue for a class out of range.
// Example: sy::one_hot(index, 5)
// Source: ATen one_hot.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator one_hot_op{"one_hot(Tensor self, int num_classes=-1) -> Tensor", KeyRule::kFirst,
                          Tags(OperatorTag::kDynamicOutputShape)};

}  // namespace sy
