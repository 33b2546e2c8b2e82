// Largest integer not above each element, in self's dtype; integers stay as they are.
//   self: any sizes, real and not bool   →   like self
// Errors: kNotImplemented for bool and complex.
// Example: sy::floor(x)
// Source: ATen floor.
#include "switchyard/ops/formulas/rounding.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator floor_op{"floor(Tensor self) -> Tensor", RoundingShape, kInPlace | kOut,
                        kFormula<f::Floor>};

}  // namespace sy
