// Logarithm to the base 10 of each element; -inf at 0, NaN below.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::log10(x)
// Source: ATen log10.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator log10_op{"log10(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                        kFormula<f::Log10>};

}  // namespace sy
