// Hyperbolic cosine of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::cosh(x)
// Source: ATen cosh.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator cosh_op{"cosh(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Cosh>};

}  // namespace sy
