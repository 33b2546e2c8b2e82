// log(1 / (1 + exp(-x))) of each element x.
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::log_sigmoid(x)
// Source: ATen log_sigmoid.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator log_sigmoid_op{"log_sigmoid(Tensor self) -> Tensor", UnaryOf<kFloatingTypes>, kOut,
                              kFormula<f::LogSigmoid>};

}  // namespace sy
