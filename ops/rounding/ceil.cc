// Smallest integer not below each element, in self's dtype; integers stay as they are.
//   self: any sizes, real and not bool   →   like self
// Errors: kNotImplemented for bool and complex.
// Example: sy::ceil(x)
// Source: ATen ceil.
#include "switchyard/ops/formulas/rounding.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator ceil_op{"ceil(Tensor self) -> Tensor", RoundingShape, kInPlace | kOut,
                       kFormula<f::Ceil>};

}  // namespace sy
