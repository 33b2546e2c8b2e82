// Complex conjugate of each element, computed; real numbers are their own.
//   self: any sizes   →   like self
// Example: sy::conj_physical(x)
// Source: ATen conj_physical.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator conj_physical_op{"conj_physical(Tensor self) -> Tensor", UnaryRule, kInPlace | kOut};

}  // namespace sy
