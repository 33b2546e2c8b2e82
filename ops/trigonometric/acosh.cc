// Inverse hyperbolic cosine of each element; NaN below 1.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::acosh(x)
// Source: ATen acosh, arccosh.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator acosh_op{"acosh(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                        kFormula<f::Acosh>};
const Operator arccosh_op{"arccosh(Tensor self) -> Tensor", SameKernels("acosh", UnaryFloatShape),
                          kInPlace | kOut};

}  // namespace sy
