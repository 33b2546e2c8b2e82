// All products of an element of self and one of vec2.
//   self: [m], vec2: [n], dtypes that promote   →   [m, n]
// Errors: kInvalidArgument when they are no vectors.
// Example: sy::outer(x, y)
// Source: ATen outer, ger.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator outer_op{"outer(Tensor self, Tensor vec2) -> Tensor", KeyRule::kPromote, kOut};
const Operator ger_op{"ger(Tensor self, Tensor vec2) -> Tensor", KeyRule::kPromote, kOut};

}  // namespace sy
