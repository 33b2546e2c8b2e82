// Tangent of each element, in radians.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::tan(x)
// Source: ATen tan.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator tan_op{"tan(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
