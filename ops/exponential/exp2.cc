// 2 to the power of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::exp2(x)
// Source: ATen exp2, special_exp2.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator exp2_op{"exp2(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Exp2>};
const Operator special_exp2_op{"special_exp2(Tensor self) -> Tensor",
                               SameKernels("exp2", UnaryFloatShape), kOut};

}  // namespace sy
