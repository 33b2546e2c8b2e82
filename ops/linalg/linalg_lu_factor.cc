// The factors of each matrix, A = P L U, in one: L, without its diagonal of ones, below the
// diagonal, U on it and above.
//   A: [.., m, n], float32, float64 or complex; k = min(m, n)   →   LU: [.., m, n], pivots:
//   [.., k], int32, the row, from 1, that each row was exchanged with
//   linalg_lu_factor_ex also gives info: [..], int32, 0 or the first diagonal element of U, from 1,
//   that is 0; it fails for such a matrix only with check_errors
//   pivot=False: no rows are exchanged; no device here has that
// Errors: kInvalidArgument when A is no matrix or of another dtype; kInvalidValue for a 0 on U's
// diagonal; kNotImplemented without pivot.
// Example: auto [lu, pivots] = sy::linalg_lu_factor(sy::eye(3))
// Source: ATen linalg_lu_factor, linalg_lu_factor_ex.
#include <algorithm>

#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void FactorShape(ShapeContext& r, const TensorBase& a, bool pivot, bool /*check_errors*/) {
  RequireMatrices(r.op(), a, "A");
  if (!pivot) r.Fail(ErrorCode::kNotImplemented, {"pivot must be True here"});
  const int64_t m = a.size(-2), n = a.size(-1);
  OutputByColumns(r, BatchOf(a), m, n, a.dtype());
  OutputPerMatrix(r, BatchOf(a), {std::min(m, n)}, DType::kInt32);
  OutputPerMatrix(r, BatchOf(a), {}, DType::kInt32);
}

}  // namespace

const Operator linalg_lu_factor_ex_op{
    "linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, "
    "Tensor pivots, Tensor info)",
    Outputs<3>(FactorShape),
    Out("linalg_lu_factor_ex.out(Tensor A, *, bool pivot=True, bool check_errors=False, "
        "Tensor(a!) LU, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LU, Tensor(b!) pivots, "
        "Tensor(c!) info)")};
const Operator linalg_lu_factor_op{
    "linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)", KeyRule::kFirst,
    Out("linalg_lu_factor.out(Tensor A, *, bool pivot=True, Tensor(a!) LU, Tensor(b!) pivots) -> "
        "(Tensor(a!) LU, Tensor(b!) pivots)") |
        Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
