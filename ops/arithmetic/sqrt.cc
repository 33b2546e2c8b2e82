// Square root of each element; NaN below 0.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::sqrt(x)
// Source: ATen sqrt.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sqrt_op{"sqrt(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Sqrt>};

}  // namespace sy
