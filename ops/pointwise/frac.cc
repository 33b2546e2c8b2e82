// What is left of each element without its integer part; it has the element's sign.
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::frac(x)
// Source: ATen frac.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator frac_op{"frac(Tensor self) -> Tensor", UnaryOf<kFloatingTypes>, kInPlace | kOut};

}  // namespace sy
