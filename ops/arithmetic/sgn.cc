// The sign of each element: -1, 0 or 1; of complex numbers, the number of magnitude 1 in their
// direction.
//   self: any sizes   →   like self
// Example: sy::sgn(x)
// Source: ATen sgn.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sgn_op{"sgn(Tensor self) -> Tensor", UnaryShape, kInPlace | kOut, kFormula<f::Sgn>};

}  // namespace sy
