// e to the power of each element, minus 1; exact where that is near 0.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::expm1(x)
// Source: ATen expm1, special_expm1.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator expm1_op{"expm1(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                        kFormula<f::Expm1>};
const Operator special_expm1_op{"special_expm1(Tensor self) -> Tensor",
                                SameKernels("expm1", UnaryFloatShape), kOut};

}  // namespace sy
