// Square root of self^2 + other^2, without overflow on the way.
//   self, other: floating, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::hypot(a, b)
// Source: ATen hypot.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator hypot_op{"hypot(Tensor self, Tensor other) -> Tensor", BinaryOf<kFloatingTypes>,
                        kInPlace | kOut, kFormula<f::Hypot>};

}  // namespace sy
