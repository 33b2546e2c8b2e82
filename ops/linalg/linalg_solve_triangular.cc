// Solutions of equations whose matrix is triangular: of A X = B, or of X A = B without `left`. What
// lies in A's other triangle is not read; nor is the diagonal with `unitriangular`, which stands
// for ones.
//   A: [.., n, n], B: [.., n, k], or [.., k, n] without left, batches that broadcast; one dtype,
//   float32, float64 or complex   →   sizes of B, with the common batch
// triangular_solve takes B first, solves with A^T for `transpose`, and returns a copy of A too.
// Errors: kInvalidArgument when sizes or dtypes do not fit. A 0 on A's diagonal gives infinities or
// NaN.
// Example: sy::linalg_solve_triangular(sy::eye(3), sy::ones({3, 1}), true)
// Source: ATen linalg_solve_triangular, triangular_solve.
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void SolveShape(ShapeContext& r, const TensorBase& self, const TensorBase& b, bool /*upper*/,
                bool left, bool /*unitriangular*/) {
  RequireEquation(r.op(), self, b, "self", "B", left);
  const IntSpan batch = r.Copy(CommonBatch(r.op(), self, b));
  OutputByColumns(r, batch, b.size(-2), b.size(-1), b.dtype());
}

}  // namespace

const Operator linalg_solve_triangular_op{
    "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool "
    "unitriangular=False) -> Tensor",
    SolveShape, kOut};
const Operator triangular_solve_op{
    "triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool "
    "unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
    KeyRule::kFirst,
    Out("triangular_solve.X(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool "
        "unitriangular=False, *, Tensor(a!) X, Tensor(b!) M) -> (Tensor(a!) solution, Tensor(b!) "
        "cloned_coefficient)") |
        Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
