// The larger of each pair of elements; NaN where either is.
//   self, other: real, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kInvalidArgument for complex numbers, which have no order.
// Example: sy::maximum(a, b)
// Source: ATen maximum, max.other.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator maximum_op{"maximum(Tensor self, Tensor other) -> Tensor", BinaryOrderedRule, kOut};
const Operator max_other_op{"max.other(Tensor self, Tensor other) -> Tensor",
                            SameKernels("maximum", BinaryOrderedRule), Out("out")};

}  // namespace sy
