// Hyperbolic tangent of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::tanh(x)
// Source: ATen tanh.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator tanh_op{"tanh(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Tanh>};

}  // namespace sy
