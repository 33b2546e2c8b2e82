// elu with the alpha and scale that keep mean 0 and variance 1.
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::selu(x)
// Source: ATen selu.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator selu_op{"selu(Tensor self) -> Tensor", UnaryOf<kFloatingTypes>, kInPlace};

}  // namespace sy
