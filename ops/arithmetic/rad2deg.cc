// Each element, an angle in radians, in degrees.
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::rad2deg(x)
// Source: ATen rad2deg.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator rad2deg_op{"rad2deg(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                          kInPlace | kOut, kFormula<f::RadiansToDegrees>};

}  // namespace sy
