// Inverse tangent of each element, in radians.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::atan(x)
// Source: ATen atan, arctan.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator atan_op{"atan(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Atan>};
const Operator arctan_op{"arctan(Tensor self) -> Tensor", SameKernels("atan", UnaryFloatShape),
                         kInPlace | kOut};

}  // namespace sy
