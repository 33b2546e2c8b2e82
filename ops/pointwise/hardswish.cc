// Each element x times hardsigmoid(x).
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::hardswish(x)
// Source: ATen hardswish.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator hardswish_op{"hardswish(Tensor self) -> Tensor", UnaryOf<kFloatingTypes>,
                            kInPlace | kOut};

}  // namespace sy
