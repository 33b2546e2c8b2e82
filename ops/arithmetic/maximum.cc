// The larger of each pair of elements; NaN where either is.
//   self, other: real, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kInvalidArgument for complex numbers, which have no order.
// Example: sy::maximum(a, b)
// Source: ATen maximum, max.other.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator maximum_op{"maximum(Tensor self, Tensor other) -> Tensor", BinaryOrderedShape, kOut,
                          kFormula<f::Maximum>};
const Operator max_other_op{"max.other(Tensor self, Tensor other) -> Tensor",
                            SameKernels("maximum", BinaryOrderedShape), Out("out")};

}  // namespace sy
