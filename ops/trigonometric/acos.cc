// Inverse cosine of each element, in radians; NaN outside [-1, 1].
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::acos(x)
// Source: ATen acos, arccos.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator acos_op{"acos(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Acos>};
const Operator arccos_op{"arccos(Tensor self) -> Tensor", SameKernels("acos", UnaryFloatShape),
                         kInPlace | kOut};

}  // namespace sy
