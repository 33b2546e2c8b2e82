// Solutions of linear equations: of A X = B, or of X A = B without `left`.
//   A: [.., n, n], B: [.., n, k], or [.., k, n] without left, batches that broadcast   →   sizes of
//   B, with the common batch; B: [n], or [.., n] with the batch of A   →   [.., n]; one dtype,
//   float32, float64 or complex
//   linalg_solve_ex also gives info: the batch of A, int32, 0 or the first diagonal element of U,
//   from 1, that is 0; it fails for such a matrix only with check_errors
//   _linalg_solve_ex gives the factors too
// Errors: kInvalidArgument when sizes or dtypes do not fit; kInvalidValue for a singular matrix.
// Example: sy::linalg_solve(sy::eye(3), sy::ones({3}))
// Source: ATen linalg_solve, linalg_solve_ex, _linalg_solve_ex.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_solve_with_factors_op{
    "_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor "
    "result, Tensor LU, Tensor pivots, Tensor info)",
    KeyRule::kFirst,
    Out("_linalg_solve_ex.result(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, "
        "Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info) -> (Tensor(a!) "
        "result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator linalg_solve_ex_op{
    "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor "
    "result, Tensor info)",
    KeyRule::kFirst,
    Out("linalg_solve_ex.out(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, "
        "Tensor(a!) result, Tensor(b!) info) -> (Tensor(a!) result, Tensor(b!) info)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator linalg_solve_op{"linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
                               KeyRule::kFirst, kOut};

}  // namespace sy
