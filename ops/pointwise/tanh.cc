// Hyperbolic tangent of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::tanh(x)
// Source: ATen tanh.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator tanh_op{"tanh(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
