// cholesky_solve and cholesky_inverse by two triangular equations.

#include "ops/linalg/identity_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

Tensor CholeskySolve(Call call, const Tensor& self, const Tensor& factor, bool upper) {
  RequireEquation(call.op(), factor, self, "input2", "self", true);
  const Tensor adjoint = mH(factor);
  const Tensor &lower = upper ? adjoint : factor, &other = upper ? factor : adjoint;
  return linalg_solve_triangular(other, linalg_solve_triangular(lower, self, false), true);
}
const Composite cholesky_solve_body{"cholesky_solve", CholeskySolve};

Tensor CholeskyInverse(Call call, const Tensor& self, bool upper) {
  RequireSquare(call.op(), self, "self");
  if (self.numel() != 0) {
    const Tensor zero = to(eq(diagonal(self, 0, -2, -1), 0), DType::kInt32);
    const Tensor first = mul(add(argmax(zero, -1), 1), amax(zero, -1));
    RequireNoDefect(call.op(), "self", Defect::kSingular, to(first, DType::kInt32));
  }
  return CholeskySolve(call, Identity(self), self, upper);
}
const Composite cholesky_inverse_body{"cholesky_inverse", CholeskyInverse};

}  // namespace
}  // namespace sy
