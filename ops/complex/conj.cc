// Complex conjugate of each element, as a view: nothing is computed until an operator reads it, and
// what is written to it reaches self. A real tensor is returned as it is, by _conj refused.
//   self: any sizes   →   the storage of self
// Errors: _conj: kInvalidArgument for a real tensor.
// Example: sy::conj(x)
// Source: ATen conj, _conj.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator conj_op{"conj(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator conj_of_complex_op{"_conj(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};

}  // namespace sy
