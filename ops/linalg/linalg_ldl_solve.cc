// Solutions of A X = B by the factors that linalg_ldl_factor gives.
//   LD: [.., n, n], pivots: [.., n], int32; B: [.., n, k], batches that broadcast   →   [.., n, k]
// Errors: kInvalidArgument when sizes or dtypes do not fit; kInvalidValue for pivots that are none.
// Example: sy::linalg_ldl_solve(a, index, b)
// Source: ATen linalg_ldl_solve.
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void SolveShape(ShapeContext& r, const TensorBase& ld, const TensorBase& pivots,
                const TensorBase& b, bool /*hermitian*/) {
  RequireEquation(r.op(), ld, b, "LD", "B", true);
  RequireVectorsOf(r.op(), ld, pivots, "LD", "pivots", DType::kInt32);
  if (pivots.size(-1) != ld.size(-1)) {
    r.Fail({"pivots must have an element for each row of LD, got sizes ", pivots.sizes(), " and ",
            ld.sizes()});
  }
  OutputByColumns(r, r.Copy(CommonBatch(r.op(), ld, b)), b.size(-2), b.size(-1), b.dtype());
}

}  // namespace

const Operator linalg_ldl_solve_op{
    "linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor",
    SolveShape, kOut};

}  // namespace sy
