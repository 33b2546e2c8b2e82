// Tangent of each element, in radians.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::tan(x)
// Source: ATen tan.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator tan_op{"tan(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                      kFormula<f::Tan>};

}  // namespace sy
