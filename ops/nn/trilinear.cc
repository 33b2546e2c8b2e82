// Sum of products of three tensors: i1 i2 i3, each with dimensions of 1 put in at expand1, expand2
// and expand3 of the result, which broadcast, summed over sumdim.
//   i1, i2, i3: one dtype, as many dimensions as each other with those put in   →   the common
//   sizes without sumdim
// unroll_dim: a dimension along which slices are computed one by one.
// Errors: kInvalidArgument for dimensions that do not agree; kOutOfRange for a dimension out of
// range.
// Example: sy::_trilinear(x, y, x, {}, {}, {}, {0})
// Source: ATen _trilinear.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator trilinear_op{
    "_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, "
    "int[] sumdim, int unroll_dim=1) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
