// Inverse tangent of each element, in radians.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::atan(x)
// Source: ATen atan.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator atan_op{"atan(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
