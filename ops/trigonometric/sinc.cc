// sin(pi x) / (pi x) of each element x; 1 at 0.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::sinc(x)
// Source: ATen sinc, special_sinc.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sinc_op{"sinc(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                       kFormula<f::Sinc>};
const Operator special_sinc_op{"special_sinc(Tensor self) -> Tensor",
                               SameKernels("sinc", UnaryFloatShape), kOut};

}  // namespace sy
