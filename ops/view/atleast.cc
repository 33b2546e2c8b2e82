// Tensors of fewer dimensions than 1, 2 or 3 get new ones of size 1: atleast_2d puts them in front,
// atleast_3d makes [n] a [1, n, 1] and [m, n] a [m, n, 1].
//   self: any sizes   →   at least so many dimensions, the storage of self; a list of each
// Example: sy::atleast_2d(x)
// Source: ATen atleast_1d, atleast_2d, atleast_3d.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator atleast_1d_op{"atleast_1d(Tensor self) -> Tensor", KeyRule::kFirst,
                             Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Operator atleast_2d_op{"atleast_2d(Tensor self) -> Tensor", KeyRule::kFirst,
                             Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Operator atleast_3d_op{"atleast_3d(Tensor self) -> Tensor", KeyRule::kFirst,
                             Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Operator atleast_1d_list_op{"atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]",
                                  KeyRule::kFirst};
const Operator atleast_2d_list_op{"atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]",
                                  KeyRule::kFirst};
const Operator atleast_3d_list_op{"atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]",
                                  KeyRule::kFirst};

}  // namespace sy
