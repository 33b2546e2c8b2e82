// The sign of each element: -1, 0 or 1; of complex numbers, the number of magnitude 1 in their
// direction.
//   self: any sizes   →   like self
// Example: sy::sgn(x)
// Source: ATen sgn.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator sgn_op{"sgn(Tensor self) -> Tensor", UnaryRule, kInPlace | kOut};

}  // namespace sy
