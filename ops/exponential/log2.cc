// Logarithm to the base 2 of each element; -inf at 0, NaN below.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::log2(x)
// Source: ATen log2.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator log2_op{"log2(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Log2>};

}  // namespace sy
