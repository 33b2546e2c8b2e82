// Whether each element is NaN; a complex one, whether one of its parts is.
//   self: any sizes   →   bool, sizes of self
// Example: sy::isnan(x)
// Source: ATen isnan.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator isnan_op{"isnan(Tensor self) -> Tensor", TestSameRule, kOut};

}  // namespace sy
