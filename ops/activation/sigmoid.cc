// 1 / (1 + exp(-x)) of each element x.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::sigmoid(x)
// Source: ATen sigmoid.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sigmoid_op{"sigmoid(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                          kFormula<f::Sigmoid>};

}  // namespace sy
