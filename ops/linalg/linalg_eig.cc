// Eigenvalues and eigenvectors of each square matrix: A V = V diag(values), both complex.
//   self: [.., n, n], float32, float64 or complex, finite   →   eigenvalues: [.., n]; eigenvectors:
//   [.., n, n], a column each, of length 1
// Vectors are unique up to their phase; values are in no order.
// Errors: kInvalidArgument when self is not square or of another dtype; kInvalidValue for
// infinities and NaN, and when it does not converge.
// Example: auto [values, vectors] = sy::linalg_eig(sy::eye(3))
// Source: ATen linalg_eig, linalg_eigvals.
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void EigvalsShape(ShapeContext& r, const TensorBase& self) {
  RequireSquare(r.op(), self, "self");
  OutputPerMatrix(r, BatchOf(self), {self.size(-1)}, ComplexType(self.dtype())).cast =
      CastPolicy::kCan;
  r.SetComputeDType(self.dtype());
}
void EigShape(ShapeContext& r, const TensorBase& self) {
  EigvalsShape(r, self);
  OutputByColumns(r, BatchOf(self), self.size(-1), self.size(-1), ComplexType(self.dtype())).cast =
      CastPolicy::kCan;
}

}  // namespace

const Operator linalg_eig_op{
    "linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)", Outputs<2>(EigShape),
    Out("linalg_eig.out(Tensor self, *, Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) -> "
        "(Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)")};
const Operator linalg_eigvals_op{"linalg_eigvals(Tensor self) -> Tensor", EigvalsShape, kOut};

}  // namespace sy
