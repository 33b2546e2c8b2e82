// The inverse of each matrix.
//   A: [.., n, n], float32, float64 or complex   →   [.., n, n]
//   linalg_inv_ex also gives info: [..], int32, 0 or the first diagonal element of U, from 1, that
//   is 0; it fails for such a matrix only with check_errors
// Errors: kInvalidArgument when A is not square or of another dtype; kInvalidValue for a singular
// matrix.
// Example: sy::linalg_inv(sy::eye(3))
// Source: ATen linalg_inv, linalg_inv_ex, inverse.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_inv_ex_op{
    "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
    KeyRule::kFirst,
    Out("linalg_inv_ex.inverse(Tensor A, *, bool check_errors=False, Tensor(a!) inverse, "
        "Tensor(b!) info) -> (Tensor(a!) inverse, Tensor(b!) info)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator linalg_inv_op{"linalg_inv(Tensor A) -> Tensor", KeyRule::kFirst,
                             kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator inverse_op{"inverse(Tensor self) -> Tensor", KeyRule::kFirst,
                          kOut | Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
