// Hyperbolic sine of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::sinh(x)
// Source: ATen sinh.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator sinh_op{"sinh(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
