// self at each position of a dimension, which goes; unbind_copy copies each.
//   self: at least 1-d   →   a list of as many tensors as the dimension has positions
// Errors: kOutOfRange for a dimension out of range, or a 0-d tensor; kInvalidArgument for another
// number of tensors to store in, or of another dtype.
// Example: sy::unbind(x, 0)
// Source: ATen unbind, unbind_copy.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator unbind_op{"unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]",
                         KeyRule::kFirst};
const Operator unbind_copy_op{"unbind_copy.int(Tensor self, int dim=0) -> Tensor[]",
                              KeyRule::kFirst, Tags(OperatorTag::kViewCopy)};
const Operator unbind_copy_out_op{
    "unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()", KeyRule::kFirst};

}  // namespace sy
