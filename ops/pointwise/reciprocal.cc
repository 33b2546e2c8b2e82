// 1 divided by each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::reciprocal(x)
// Source: ATen reciprocal.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator reciprocal_op{"reciprocal(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
