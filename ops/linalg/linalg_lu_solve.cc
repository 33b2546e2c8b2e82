// Solutions of linear equations by the matrix's factors, as linalg_lu_factor gives them: of A X =
// B, or of X A = B without `left`; of A^H instead of A with `adjoint`.
//   LU: [.., n, n], float32, float64 or complex; pivots: [.., n], int32; B: [.., n, k], or [.., k,
//   n] without left; batches that broadcast   →   sizes of B, with the common batch
// lu_solve takes B first and has neither left nor adjoint.
// Errors: kInvalidArgument when sizes or dtypes do not fit; kInvalidValue for a pivot that is no
// row. A 0 on U's diagonal gives infinities or NaN.
// Example: sy::linalg_lu_solve(a, index, b)
// Source: ATen linalg_lu_solve, lu_solve.
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void SolveShape(ShapeContext& r, const TensorBase& lu, const TensorBase& pivots,
                const TensorBase& b, bool left, bool /*adjoint*/) {
  RequireEquation(r.op(), lu, b, "LU", "B", left);
  RequireVectorsOf(r.op(), lu, pivots, "LU", "pivots", DType::kInt32);
  if (pivots.size(-1) != lu.size(-1)) {
    r.Fail({"pivots must have an element for each row of LU, got sizes ", pivots.sizes(), " and ",
            lu.sizes()});
  }
  const IntSpan batch = r.Copy(CommonBatch(r.op(), lu, b));
  if (left) {
    OutputByColumns(r, batch, b.size(-2), b.size(-1), b.dtype());
  } else {
    OutputPerMatrix(r, batch, {b.size(-2), b.size(-1)}, b.dtype());
  }
}

}  // namespace

const Operator linalg_lu_solve_op{
    "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> "
    "Tensor",
    SolveShape, kOut};
const Operator lu_solve_op{"lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor",
                           KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
