// Natural logarithm of 1 plus each element; exact where that is near 0.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::log1p(x)
// Source: ATen log1p, special_log1p.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator log1p_op{"log1p(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                        kFormula<f::Log1p>};
const Operator special_log1p_op{"special_log1p(Tensor self) -> Tensor",
                                SameKernels("log1p", UnaryFloatShape), kOut};

}  // namespace sy
