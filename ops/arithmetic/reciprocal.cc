// 1 divided by each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::reciprocal(x)
// Source: ATen reciprocal.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator reciprocal_op{"reciprocal(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                             kFormula<f::Reciprocal>};

}  // namespace sy
