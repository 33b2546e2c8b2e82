// Cross products of 3-element vectors along `dim`, by default along the first dimension of 3
// elements.
//   self, other: as many dimensions, sizes that broadcast, 3 along dim; same
//   dtype, not bool   →   common sizes
// Errors: kInvalidArgument when ranks or dtypes differ or there is no such dimension, kOutOfRange
// for a dim out of range.
// Example: sy::cross(a, b)
// Source: ATen cross.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator cross_op{"cross(Tensor self, Tensor other, int? dim=None) -> Tensor",
                        KeyRule::kFirst, kOut};

}  // namespace sy
