// Arcsine of each element, in radians; NaN outside [-1, 1].
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::asin(x)
// Source: ATen asin, arcsin.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator asin_op{"asin(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Asin>};
const Operator arcsin_op{"arcsin(Tensor self) -> Tensor", SameKernels("asin", UnaryFloatShape),
                         kInPlace | kOut};

}  // namespace sy
