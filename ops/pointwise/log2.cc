// Logarithm to the base 2 of each element; -inf at 0, NaN below.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::log2(x)
// Source: ATen log2.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator log2_op{"log2(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
