// x tanh(log(1 + exp(x))) of each element x.
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::mish(x)
// Source: ATen mish.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator mish_op{"mish(Tensor self) -> Tensor", UnaryOf<kFloatingTypes>, kInPlace | kOut,
                       kFormula<f::Mish>};

}  // namespace sy
