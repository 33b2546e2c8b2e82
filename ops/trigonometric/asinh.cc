// Inverse hyperbolic sine of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::asinh(x)
// Source: ATen asinh, arcsinh.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator asinh_op{"asinh(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                        kFormula<f::Asinh>};
const Operator arcsinh_op{"arcsinh(Tensor self) -> Tensor", SameKernels("asinh", UnaryFloatShape),
                          kInPlace | kOut};

}  // namespace sy
