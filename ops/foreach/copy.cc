// Copies each tensor of src into that of self; zeros each tensor of self.
//   self: one or more tensors; src: as many, of sizes that broadcast to those of self and any
//   dtypes   →   as self
// Errors: kInvalidArgument for no tensors or lists of other lengths; those of copy_.
// Example: sy::_foreach_copy_({a, b}, {x, y})
// Source: ATen _foreach_copy, _foreach_zero.
#include "switchyard/ops/foreach/schemas.h"

namespace sy {

const Operator copy_op{
    "_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> Tensor[] self_out",
    KeyRule::kFirst};
const Operator copy_in_place_op{
    "_foreach_copy_(Tensor(a!)[] self, Tensor[] src, bool non_blocking=False) -> ()",
    KeyRule::kFirst};
const Operator copy_out_op{
    "_foreach_copy.out(Tensor[] self, Tensor[] src, bool non_blocking=False, *, "
    "Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator zero_op{"_foreach_zero(Tensor[] self) -> Tensor[] self_out", KeyRule::kFirst};
const Operator zero_in_place_op{"_foreach_zero_(Tensor(a!)[] self) -> ()", KeyRule::kFirst};
const Operator zero_out_op{"_foreach_zero.out(Tensor[] self, *, Tensor(a!)[] out) -> ()",
                           KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
