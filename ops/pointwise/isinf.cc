// Whether each element is infinite; a complex one, whether one of its parts is.
//   self: any sizes   →   bool, sizes of self
// Example: sy::isinf(x)
// Source: ATen isinf.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator isinf_op{"isinf(Tensor self) -> Tensor", TestSameRule, kOut};

}  // namespace sy
