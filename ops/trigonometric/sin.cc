// Sine of each element, in radians.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::sin(x)
// Source: ATen sin.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sin_op{"sin(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                      kFormula<f::Sin>};

}  // namespace sy
