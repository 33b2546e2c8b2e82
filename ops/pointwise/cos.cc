// Cosine of each element, in radians.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::cos(x)
// Source: ATen cos.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator cos_op{"cos(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
