// 1 / (1 + exp(-x)) of each element x.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::sigmoid(x)
// Source: ATen sigmoid.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator sigmoid_op{"sigmoid(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
