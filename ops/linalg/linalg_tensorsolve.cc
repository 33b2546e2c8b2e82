// Solutions of equations between tensors, seen as matrices: X such that the sum of self's products
// with X over X's dimensions, self's last, is other (linalg_tensorsolve); the tensor that undoes
// such a sum over self's dimensions from ind on (linalg_tensorinv).
//   self: as many elements in the first dimensions (other's; ind) as in the others; dims: moved to
//   the end first   →   self's last sizes; those, then the first ones (tensorinv)
// Errors: kInvalidArgument when sizes or dtypes do not fit; kInvalidValue for what is singular.
// Example: sy::linalg_tensorinv(sy::reshape(sy::eye(4), {4, 2, 2}), 1)
// Source: ATen linalg_tensorsolve, linalg_tensorinv.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_tensorsolve_op{
    "linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor", KeyRule::kFirst,
    kOut};
const Operator linalg_tensorinv_op{"linalg_tensorinv(Tensor self, int ind=2) -> Tensor",
                                   KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
