// e to the power of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::exp(x)
// Source: ATen exp.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator exp_op{"exp(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                      kFormula<f::Exp>};

}  // namespace sy
