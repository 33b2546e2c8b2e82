// Hyperbolic sine of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::sinh(x)
// Source: ATen sinh.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sinh_op{"sinh(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Sinh>};

}  // namespace sy
