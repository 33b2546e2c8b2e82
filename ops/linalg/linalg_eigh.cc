// Eigenvalues, ascending, and eigenvectors of each Hermitian matrix: A V = V diag(values). One
// triangle is read, 'L' or 'U'.
//   self: [.., n, n], float32, float64 or complex   →   eigenvalues: [.., n], real; eigenvectors:
//   [.., n, n], a column each, orthonormal ([0] where they are not asked for)
// Vectors are unique up to their sign (phase), and within the space of equal eigenvalues.
// Errors: kInvalidArgument when self is not square, of another dtype, or UPLO is neither;
// kInvalidValue when it does not converge.
// Example: auto [values, vectors] = sy::linalg_eigh(sy::eye(3))
// Source: ATen linalg_eigh, linalg_eigvalsh, _linalg_eigh.
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void EighShape(ShapeContext& r, const TensorBase& a, std::string_view uplo, bool compute_v) {
  RequireSquare(r.op(), a, "A");
  if (uplo != "L" && uplo != "U" && uplo != "l" && uplo != "u")
    r.Fail({"UPLO must be 'L' or 'U', got '", uplo, "'"});
  OutputPerMatrix(r, BatchOf(a), {a.size(-1)}, RealType(a.dtype()));
  if (compute_v) {
    OutputByColumns(r, BatchOf(a), a.size(-1), a.size(-1), a.dtype());
  } else {
    r.Output({0}, a.dtype());
  }
  r.SetComputeDType(a.dtype());
}

void WithVectorsShape(ShapeContext& r, const TensorBase& self, std::string_view uplo) {
  EighShape(r, self, uplo, true);
}

}  // namespace

const Operator linalg_eigh_parts_op{
    "_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, Tensor "
    "eigenvectors)",
    Outputs<2>(EighShape),
    Out("_linalg_eigh.eigenvalues(Tensor A, str UPLO=\"L\", bool compute_v=True, *, Tensor(a!) "
        "eigenvalues, Tensor(b!) eigenvectors) -> (Tensor(a!) eigenvalues, Tensor(b!) "
        "eigenvectors)")};
const Operator linalg_eigh_op{
    "linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)",
    Outputs<2>(WithVectorsShape),
    Out("linalg_eigh.eigvals(Tensor self, str UPLO=\"L\", *, Tensor(a!) eigvals, Tensor(b!) "
        "eigvecs) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)")};
const Operator linalg_eigvalsh_op{"linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor",
                                  KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
