// Inverse hyperbolic cosine of each element; NaN below 1.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::acosh(x)
// Source: ATen acosh.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator acosh_op{"acosh(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
