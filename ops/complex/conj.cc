// Complex conjugate of each element, as a view: nothing is computed until an operator reads it, and
// what is written to it reaches self. A real tensor is returned as it is.
//   self: any sizes   →   the storage of self
// Example: sy::conj(x)
// Source: ATen conj.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator conj_op{"conj(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};

}  // namespace sy
