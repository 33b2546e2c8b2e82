// addcmul, addcdiv and lerp for each tensor of a list, in one call.
//   self, tensor1, tensor2, tensors1, weights: lists of as many tensors; value, weight: a number
//   for all; scalars, weight: as many numbers, or a 1-d tensor of them   →   a list
// Errors: kInvalidArgument for no tensors or lists of other lengths; those of the operator, whose
// name they say.
// Example: sy::_foreach_addcmul({a, b}, {x, y}, {x, y}, 0.5)
// Source: ATen _foreach_addcmul, _foreach_addcdiv, _foreach_lerp.
#include "switchyard/ops/foreach/schemas.h"

namespace sy {

#define SY_PAIR(name)                                                                 \
  SY_FOREACH(name##_scalar, "_foreach_" #name, ".Scalar", ".Scalar_out",              \
             ", Tensor[] tensor1, Tensor[] tensor2, Scalar value=1", ", *, ")         \
  SY_FOREACH(name##_scalar_list, "_foreach_" #name, ".ScalarList", ".ScalarList_out", \
             ", Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars", ", *, ")       \
  SY_FOREACH(name##_tensor, "_foreach_" #name, ".Tensor", ".Tensor_out",              \
             ", Tensor[] tensor1, Tensor[] tensor2, Tensor scalars", ", *, ")
SY_PAIR(addcdiv)
SY_PAIR(addcmul)
#undef SY_PAIR

SY_FOREACH(lerp_list, "_foreach_lerp", ".List", ".List_out",
           ", Tensor[] tensors1, Tensor[] weights", ", *, ")
SY_FOREACH(lerp_scalar, "_foreach_lerp", ".Scalar", ".Scalar_out",
           ", Tensor[] tensors1, Scalar weight", ", *, ")
SY_FOREACH(lerp_scalar_list, "_foreach_lerp", ".ScalarList", ".ScalarList_out",
           ", Tensor[] tensors1, Scalar[] weight", ", *, ")

}  // namespace sy
