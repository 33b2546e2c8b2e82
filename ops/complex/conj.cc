// Complex conjugate of each element; a real tensor is returned as it is.
//   self: any sizes   →   like self
// Example: sy::conj(x)
// Source: ATen conj. There, the conjugate of a complex tensor is a view, here its elements are
// computed.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator conj_op{"conj(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};

}  // namespace sy
