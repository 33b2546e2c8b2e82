// Inverse hyperbolic sine of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::asinh(x)
// Source: ATen asinh.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator asinh_op{"asinh(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                        kFormula<f::Asinh>};

}  // namespace sy
