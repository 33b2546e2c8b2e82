// Each element x times hardsigmoid(x).
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::hardswish(x)
// Source: ATen hardswish.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator hardswish_op{"hardswish(Tensor self) -> Tensor", UnaryOf<kFloatingTypes>,
                            kInPlace | kOut, kFormula<f::Hardswish>};

}  // namespace sy
