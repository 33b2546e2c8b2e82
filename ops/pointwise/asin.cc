// Arcsine of each element, in radians; NaN outside [-1, 1].
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::asin(x)
// Source: ATen asin.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator asin_op{"asin(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
