// self with other sizes: a view where strides can express it, else a copy; one size may be -1 and
// is inferred. reshape_as takes the sizes of a tensor; ravel makes one dimension of all.
//   self: any sizes; shape: as many elements   →   shape
// Errors: kInvalidArgument when the elements are not as many.
// Example: sy::reshape(x, {-1})
// Source: ATen reshape, reshape_as, ravel.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator reshape_op{"reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", KeyRule::kFirst};
const Operator reshape_as_op{"reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                             KeyRule::kFirst};
const Operator ravel_op{"ravel(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};

}  // namespace sy
