// Solutions of linear equations, and inverses, by Cholesky's factor of the matrix.
//   self: [.., n, k], input2: [.., n, n], the factor, whose batches broadcast   →   [.., n, k]
//   (cholesky_solve); self: [.., n, n], the factor   →   [.., n, n] (cholesky_inverse)
//   upper: the factor is U of U^H U, not L of L L^H
// Errors: kInvalidArgument when sizes or dtypes do not fit; kInvalidValue where cholesky_inverse
// meets a 0 on the factor's diagonal.
// Example: sy::cholesky_solve(sy::ones({3, 1}), sy::eye(3))
// Source: ATen cholesky_solve, cholesky_inverse.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator cholesky_solve_op{
    "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator cholesky_inverse_op{"cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
                                   KeyRule::kFirst, kOut};

}  // namespace sy
