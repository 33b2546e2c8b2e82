// Cholesky's factor of each Hermitian positive-definite matrix: A = L L^H, or U^H U with `upper`.
//   self: [.., n, n], float32, float64 or complex; the triangle that is asked for is read   →
//   [.., n, n], lower or upper triangular
//   linalg_cholesky_ex also gives info: [..], int32, 0 or the order of the first leading minor that
//   is not positive; it fails for such a matrix only with check_errors
// Errors: kInvalidArgument when self is not square or of another dtype; kInvalidValue for a matrix
// that is not positive-definite.
// Example: sy::linalg_cholesky(sy::eye(3))
// Source: ATen linalg_cholesky, linalg_cholesky_ex, cholesky.
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void CholeskyShape(ShapeContext& r, const TensorBase& self, bool /*upper*/, bool /*check_errors*/) {
  RequireSquare(r.op(), self, "self");
  OutputByColumns(r, BatchOf(self), self.size(-1), self.size(-1), self.dtype());
  OutputPerMatrix(r, BatchOf(self), {}, DType::kInt32);
}

}  // namespace

const Operator linalg_cholesky_ex_op{
    "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, "
    "Tensor info)",
    Outputs<2>(CholeskyShape),
    Out("linalg_cholesky_ex.L(Tensor self, *, bool upper=False, bool check_errors=False, "
        "Tensor(a!) L, Tensor(b!) info) -> (Tensor(a!) L, Tensor(b!) info)")};
const Operator linalg_cholesky_op{"linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
                                  KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator cholesky_op{"cholesky(Tensor self, bool upper=False) -> Tensor", KeyRule::kFirst,
                           kOut};

}  // namespace sy
