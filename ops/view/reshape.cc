// self with other sizes: a view where strides can express it, else a copy; one size may be -1 and
// is inferred.
//   self: any sizes; shape: as many elements   →   shape
// Errors: kInvalidArgument when the elements are not as many.
// Example: sy::reshape(x, {-1})
// Source: ATen reshape.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator reshape_op{"reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", KeyRule::kFirst};

}  // namespace sy
