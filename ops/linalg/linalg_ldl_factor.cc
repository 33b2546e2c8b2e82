// The factors of each symmetric matrix, A = L D L^T, or Hermitian one, L D L^H, in one: L, without
// its diagonal of ones, below D, whose blocks have one or two rows. The lower triangle is read.
//   self: [.., n, n], float32, float64 or complex   →   LD: [.., n, n], pivots: [.., n], int32: row
//   and column, from 1, that each was exchanged with; a pair of negative ones for a block of two
//   hermitian: for complex numbers; others are both
//   linalg_ldl_factor_ex also gives info: [..], int32, 0 or the first diagonal element of D, from
//   1, that is 0; it fails for such a matrix only with check_errors
// Errors: kInvalidArgument when self is not square or of another dtype; kInvalidValue for a 0 on
// D's diagonal.
// Example: auto [ld, pivots] = sy::linalg_ldl_factor(sy::eye(3))
// Source: ATen linalg_ldl_factor, linalg_ldl_factor_ex.
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void FactorShape(ShapeContext& r, const TensorBase& self, bool /*hermitian*/,
                 bool /*check_errors*/) {
  RequireSquare(r.op(), self, "self");
  OutputByColumns(r, BatchOf(self), self.size(-1), self.size(-1), self.dtype());
  OutputPerMatrix(r, BatchOf(self), {self.size(-1)}, DType::kInt32);
  OutputPerMatrix(r, BatchOf(self), {}, DType::kInt32);
}

}  // namespace

const Operator linalg_ldl_factor_ex_op{
    "linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> "
    "(Tensor LD, Tensor pivots, Tensor info)",
    Outputs<3>(FactorShape),
    Out("linalg_ldl_factor_ex.out(Tensor self, *, bool hermitian=False, bool check_errors=False, "
        "Tensor(a!) LD, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LD, Tensor(b!) pivots, "
        "Tensor(c!) info)")};
const Operator linalg_ldl_factor_op{
    "linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)",
    KeyRule::kFirst,
    Out("linalg_ldl_factor.out(Tensor self, *, bool hermitian=False, Tensor(a!) LD, Tensor(b!) "
        "pivots) -> (Tensor(a!) LD, Tensor(b!) pivots)") |
        Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
