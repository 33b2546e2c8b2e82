// Natural logarithm of each element; -inf at 0, NaN below.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::log(x)
// Source: ATen log.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator log_op{"log(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                      kFormula<f::Log>};

}  // namespace sy
