// Inverse hyperbolic tangent of each element; infinite at -1 and 1, NaN beyond.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::atanh(x)
// Source: ATen atanh, arctanh.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator atanh_op{"atanh(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                        kFormula<f::Atanh>};
const Operator arctanh_op{"arctanh(Tensor self) -> Tensor", SameKernels("atanh", UnaryFloatShape),
                          kInPlace | kOut};

}  // namespace sy
