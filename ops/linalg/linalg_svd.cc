// Singular value decomposition of each matrix: A = U diag(S) Vh, S descending.
//   A: [.., m, n], float32, float64 or complex   →   U: [.., m, m], S: [.., k] real, Vh: [.., n,
//   n], k = min(m, n); U: [.., m, k] and Vh: [.., k, n] without full_matrices
//   driver: for cuda alone
// Unique up to the sign (phase) of each pair of singular vectors.
// Errors: kInvalidArgument when A is no matrix or of another dtype; kInvalidValue when it does not
// converge.
// Example: auto [u, s, vh] = sy::linalg_svd(a)
// Source: ATen linalg_svd.
#include <algorithm>

#include "switchyard/ops/rules.h"

namespace sy {
namespace {

// [.., rows, columns], each matrix by columns.
void OutputByColumns(Rule& r, const Meta& a, int64_t rows, int64_t columns) {
  const int64_t rank = a.dim();
  int64_t *sizes = r.Ints(rank), *strides = r.Ints(rank);
  std::copy_n(a.sizes().data(), rank - 2, sizes);
  sizes[rank - 2] = rows;
  sizes[rank - 1] = columns;
  strides[rank - 2] = 1;
  strides[rank - 1] = std::max<int64_t>(rows, 1);
  int64_t stride = std::max<int64_t>(rows, 1) * std::max<int64_t>(columns, 1);
  for (int64_t i = rank - 3; i >= 0; --i) {
    strides[i] = stride;
    stride *= std::max<int64_t>(sizes[i], 1);
  }
  r.Output(IntSpan(sizes, static_cast<size_t>(rank)), a.dtype()).strides = strides;
}

void SvdRule(Rule& r, const Meta& a, bool full_matrices, std::optional<std::string_view> driver) {
  if (a.dim() < 2) r.Fail({"A must have at least 2 dimensions, got sizes ", a.sizes()});
  if (!Contains(kComplexTypes | Mask(DType::kFloat32, DType::kFloat64), a.dtype())) {
    r.Fail({"A must be float32, float64, complex64 or complex128, got ", a.dtype()});
  }
  if (driver && a.is_host())
    r.Fail({"driver is for cuda alone, got '", *driver, "' for a tensor on cpu"});
  const int64_t m = a.size(-2), n = a.size(-1), k = std::min(m, n);
  OutputByColumns(r, a, m, full_matrices ? m : k);
  int64_t* sizes = r.Ints(a.dim() - 1);
  std::copy_n(a.sizes().data(), a.dim() - 2, sizes);
  sizes[a.dim() - 2] = k;
  r.Output(IntSpan(sizes, static_cast<size_t>(a.dim() - 1)), RealType(a.dtype()));
  OutputByColumns(r, a, full_matrices ? n : k, n);
}

}  // namespace

const Operator linalg_svd_op{
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, "
    "Tensor Vh)",
    Outputs<3>(SvdRule),
    Out("linalg_svd.U(Tensor A, bool full_matrices=True, *, str? driver=None, Tensor(a!) U, "
        "Tensor(b!) S, Tensor(c!) Vh) "
        "-> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh)")};

}  // namespace sy
