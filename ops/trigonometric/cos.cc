// Cosine of each element, in radians.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::cos(x)
// Source: ATen cos.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator cos_op{"cos(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                      kFormula<f::Cos>};

}  // namespace sy
