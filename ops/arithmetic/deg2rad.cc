// Each element, an angle in degrees, in radians.
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::deg2rad(x)
// Source: ATen deg2rad.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator deg2rad_op{"deg2rad(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                          kInPlace | kOut, kFormula<f::DegreesToRadians>};

}  // namespace sy
