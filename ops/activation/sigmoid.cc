// 1 / (1 + exp(-x)) of each element x.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::sigmoid(x)
// Source: ATen sigmoid, special_expit.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sigmoid_op{"sigmoid(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
                          kFormula<f::Sigmoid>};
const Operator special_expit_op{"special_expit(Tensor self) -> Tensor",
                                SameKernels("sigmoid", UnaryFloatShape), kOut};

}  // namespace sy
