// What is left of each element without its integer part; it has the element's sign.
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::frac(x)
// Source: ATen frac.
#include "switchyard/ops/formulas/rounding.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator frac_op{"frac(Tensor self) -> Tensor", UnaryOf<kFloatingTypes>, kInPlace | kOut,
                       kFormula<f::Frac>};

}  // namespace sy
