// x tanh(log(1 + exp(x))) of each element x.
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::mish(x)
// Source: ATen mish.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator mish_op{"mish(Tensor self) -> Tensor", UnaryOf<kFloatingTypes>, kInPlace | kOut};

}  // namespace sy
