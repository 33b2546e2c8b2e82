// e to the power of each element.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::exp(x)
// Source: ATen exp.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator exp_op{"exp(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
