// sin(pi x) / (pi x) of each element x; 1 at 0.
//   self: any sizes; integers and bool compute in the default dtype   →   like self
// Example: sy::sinc(x)
// Source: ATen sinc.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator sinc_op{"sinc(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};

}  // namespace sy
