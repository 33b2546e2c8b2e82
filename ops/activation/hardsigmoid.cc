// A sigmoid of three straight lines: each element plus 3, limited to [0, 6], divided by 6.
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::hardsigmoid(x)
// Source: ATen hardsigmoid.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator hardsigmoid_op{"hardsigmoid(Tensor self) -> Tensor", UnaryOf<kFloatingTypes>,
                              kInPlace | kOut, kFormula<f::Hardsigmoid>};

}  // namespace sy
