// Singular value decomposition of each matrix: A = U diag(S) Vh, S descending.
//   A: [.., m, n], float32, float64 or complex   →   U: [.., m, m], S: [.., k] real, Vh: [.., n,
//   n], k = min(m, n); U: [.., m, k] and Vh: [.., k, n] without full_matrices
//   driver: for cuda alone
// linalg_svdvals gives S alone, _linalg_svd U and Vh of [0] where they are not asked for. svd gives
// V, not its adjoint; without compute_uv, zeros for U and V.
// Unique up to the sign (phase) of each pair of singular vectors.
// Errors: kInvalidArgument when A is no matrix or of another dtype; kInvalidValue when it does not
// converge.
// Example: auto [u, s, vh] = sy::linalg_svd(a)
// Source: ATen linalg_svd, _linalg_svd, linalg_svdvals, svd.
#include <algorithm>

#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void SvdShape(ShapeContext& r, const TensorBase& a, bool full_matrices, bool compute_uv,
              std::optional<std::string_view> driver) {
  RequireMatrices(r.op(), a, "A");
  if (driver && a.is_host())
    r.Fail({"driver is for cuda alone, got '", *driver, "' for a tensor on cpu"});
  const int64_t m = a.size(-2), n = a.size(-1), k = std::min(m, n);
  const auto vectors = [&](int64_t rows, int64_t columns) {
    if (compute_uv) {
      OutputByColumns(r, BatchOf(a), rows, columns, a.dtype());
    } else {
      r.Output({0}, a.dtype());
    }
  };
  vectors(m, full_matrices ? m : k);
  OutputPerMatrix(r, BatchOf(a), {k}, RealType(a.dtype()));
  vectors(full_matrices ? n : k, n);
}
void WithVectorsShape(ShapeContext& r, const TensorBase& a, bool full_matrices,
                      std::optional<std::string_view> driver) {
  SvdShape(r, a, full_matrices, true, driver);
}

}  // namespace

const Operator linalg_svd_op{
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, "
    "Tensor Vh)",
    Outputs<3>(WithVectorsShape),
    Out("linalg_svd.U(Tensor A, bool full_matrices=True, *, str? driver=None, Tensor(a!) U, "
        "Tensor(b!) S, Tensor(c!) Vh) "
        "-> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh)")};
const Operator linalg_svd_parts_op{
    "_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> "
    "(Tensor U, Tensor S, Tensor Vh)",
    Outputs<3>(SvdShape),
    Out("_linalg_svd.U(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? "
        "driver=None, Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, "
        "Tensor(c!) Vh)")};
const Operator linalg_svdvals_op{"linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
                                 KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator svd_op{
    "svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
    KeyRule::kFirst,
    Out("svd.U(Tensor self, bool some=True, bool compute_uv=True, *, Tensor(a!) U, Tensor(b!) S, "
        "Tensor(c!) V) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) V)")};

}  // namespace sy
