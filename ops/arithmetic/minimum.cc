// The smaller of each pair of elements; NaN where either is.
//   self, other: real, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kInvalidArgument for complex numbers, which have no order.
// Example: sy::minimum(a, b)
// Source: ATen minimum, min.other.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator minimum_op{"minimum(Tensor self, Tensor other) -> Tensor", BinaryOrderedShape, kOut,
                          kFormula<f::Minimum>};
const Operator min_other_op{"min.other(Tensor self, Tensor other) -> Tensor",
                            SameKernels("minimum", BinaryOrderedShape), Out("out")};

}  // namespace sy
