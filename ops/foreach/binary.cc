// An operator of two tensors, or of a tensor and a number, for each tensor of a list, in one call.
//   self: one or more tensors; other, exponent: as many tensors, or a 0-dim one for all; scalar(s),
//   exponent: a number for all, or as many numbers   →   a list, what the operator gives for each
// Errors: kInvalidArgument for no tensors, lists of other lengths, or a tensor for all that is not
// 0-dim; those of the operator, whose name they say.
// Example: sy::_foreach_add({a, b}, {x, y}, 0.5)
// Source: ATen _foreach_add and its like; maximum and minimum of numbers are clamp_min and
// clamp_max.
#include "switchyard/ops/foreach/schemas.h"

namespace sy {

#define SY_LIST(name) \
  SY_FOREACH(name##_list, "_foreach_" #name, ".List", ".List_out", ", Tensor[] other", ", *, ")
#define SY_NUMBERS(name, number, numbers)                                                    \
  SY_FOREACH(name##_scalar, "_foreach_" #name, ".Scalar", ".Scalar_out", ", Scalar " number, \
             ", *, ")                                                                        \
  SY_FOREACH(name##_scalar_list, "_foreach_" #name, ".ScalarList", ".ScalarList_out",        \
             ", Scalar[] " numbers, ", *, ")
#define SY_TENSOR(name) \
  SY_FOREACH(name##_tensor, "_foreach_" #name, ".Tensor", ".Tensor_out", ", Tensor other", ", *, ")
#define SY_LIST_ALPHA(name)                                        \
  SY_FOREACH(name##_list, "_foreach_" #name, ".List", ".List_out", \
             ", Tensor[] other, *, Scalar alpha=1", ", ")

SY_LIST_ALPHA(add)
SY_NUMBERS(add, "scalar", "scalars")
SY_FOREACH(add_tensor, "_foreach_add", ".Tensor", ".Tensor_out",
           ", Tensor other, *, Scalar alpha=1", ", ")
SY_LIST_ALPHA(sub)
SY_NUMBERS(sub, "scalar", "scalars")
SY_LIST(mul)
SY_NUMBERS(mul, "scalar", "scalars")
SY_TENSOR(mul)
SY_LIST(div)
SY_NUMBERS(div, "scalar", "scalars")
SY_TENSOR(div)
SY_LIST(clamp_max)
SY_NUMBERS(clamp_max, "scalar", "scalars")
SY_LIST(clamp_min)
SY_NUMBERS(clamp_min, "scalar", "scalars")
SY_LIST(maximum)
SY_NUMBERS(maximum, "scalar", "scalars")
SY_LIST(minimum)
SY_NUMBERS(minimum, "scalar", "scalars")
SY_FOREACH(pow_list, "_foreach_pow", ".List", ".List_out", ", Tensor[] exponent", ", *, ")
SY_NUMBERS(pow, "exponent", "exponent")
const Operator pow_scalar_and_tensor_op{
    "_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]", KeyRule::kFirst};
#undef SY_LIST
#undef SY_NUMBERS
#undef SY_TENSOR
#undef SY_LIST_ALPHA

}  // namespace sy
