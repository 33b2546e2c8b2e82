// Inverse hyperbolic tangent of each element; infinite at -1 and 1, NaN beyond.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::atanh(x)
// Source: ATen atanh.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator atanh_op{"atanh(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
