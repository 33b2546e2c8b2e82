// 1 divided by the square root of each element; inf at 0, NaN below.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::rsqrt(x)
// Source: ATen rsqrt.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator rsqrt_op{"rsqrt(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                        kFormula<f::Rsqrt>};

}  // namespace sy
