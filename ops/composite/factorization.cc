// Factorisations of matrices by those that kernels serve.

#include <algorithm>
#include <vector>

#include "switchyard/core/transfer.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;

// --- Cholesky
Tensor Cholesky(Call call, const Tensor& self, bool upper) {
  RequireSquare(call.op(), self, "self");
  const auto [factor, info] = linalg_cholesky_ex(self, upper);
  RequireNoDefect(call.op(), "self", Defect::kNotPositiveDefinite, info);
  return factor;
}
const Composite linalg_cholesky_body{"linalg_cholesky", Cholesky};
const Composite cholesky_body{"cholesky", Cholesky};

// --- QR
Two Qr(Call call, const Tensor& a, std::string_view mode) {
  RequireMatrices(call.op(), a, "A");
  if (mode != "reduced" && mode != "complete" && mode != "r") {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): mode must be 'reduced', 'complete' or 'r', got '", mode, "'"});
  }
  const int64_t m = a.size(-2), k = std::min(m, a.size(-1));
  const bool complete = mode == "complete";
  const auto [reflected, tau] = geqrf(a);
  const Tensor r = mT(tril(contiguous(mT(narrow(reflected, -2, 0, complete ? m : k)))));
  if (mode == "r") return {empty({0}, a.dtype(), std::nullopt, a.device()), r};
  Tensor vectors = narrow(reflected, -1, 0, k);
  if (complete && m > k) {
    std::vector<int64_t> more(a.sizes().begin(), a.sizes().end());
    more.back() = m - k;
    vectors = cat(std::vector<Tensor>{vectors, new_zeros(a, more)}, -1);
  }
  return {linalg_householder_product(vectors, tau), r};
}
Two LegacyQr(Call call, const Tensor& self, bool some) {
  return Qr(call, self, some ? "reduced" : "complete");
}
const Composite linalg_qr_body{"linalg_qr", Qr};
const Composite qr_body{"qr", LegacyQr};

// --- LU
Two LuFactor(Call call, const Tensor& a, bool pivot) {
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a, pivot);
  RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  return {lu, pivots};
}
const Composite linalg_lu_factor_body{"linalg_lu_factor", LuFactor};

// p[i, j] = 1 where row i of the matrix is row j of the product of its factors.
void UnpackPivots(Call call, const Tensor& p, const Tensor& pivots) {
  const int64_t m = p.size(-1), k = pivots.size(-1);
  const Tensor host = ToHost(contiguous(pivots));
  std::vector<int64_t> sizes(p.sizes().begin(), p.sizes().end());
  sizes[sizes.size() - 2] = 1;
  const Tensor rows = Tensor::Empty(sizes, DType::kInt64);  // of each column's 1
  RequirePivots(call.op(), "LU_pivots", {host.data<int>(), static_cast<size_t>(host.numel())}, m);
  for (int64_t i = 0; m > 0 && i < rows.numel() / m; ++i) {
    int64_t* const row = rows.data<int64_t>() + i * m;
    for (int64_t j = 0; j < m; ++j) row[j] = j;
    for (int64_t j = 0; j < k; ++j) std::swap(row[j], row[host.data<int>()[i * k + j] - 1]);
  }
  zero_(p);
  scatter_(p, -2, FromHost(rows, p.device()), Scalar(1));
}
void LuUnpack(Call call, const Tensor& p, const Tensor& l, const Tensor& u, const Tensor& lu,
              const Tensor& pivots, bool unpack_data, bool unpack_pivots) {
  if (unpack_pivots) UnpackPivots(call, p, pivots);
  if (!unpack_data) return;
  const int64_t k = std::min(lu.size(-2), lu.size(-1));
  triu_out(u, narrow(lu, -2, 0, k));
  tril_out(l, narrow(lu, -1, 0, k), -1);
  fill_(diagonal(l, 0, -2, -1), 1);
}
const Composite lu_unpack_body{"lu_unpack", LuUnpack};

Three Lu(Call, const Tensor& a, bool pivot) {
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a, pivot);
  return lu_unpack(lu, pivots);
}
const Composite linalg_lu_body{"linalg_lu", Lu};

// --- LDL
Two LdlFactor(Call call, const Tensor& self, bool hermitian) {
  RequireSquare(call.op(), self, "self");
  const auto [ld, pivots, info] = linalg_ldl_factor_ex(self, hermitian);
  RequireNoDefect(call.op(), "self", Defect::kSingular, info);
  return {ld, pivots};
}
const Composite linalg_ldl_factor_body{"linalg_ldl_factor", LdlFactor};

// --- Eigenvalues
Tensor Eigvalsh(Call call, const Tensor& self, std::string_view uplo) {
  RequireSquare(call.op(), self, "self");
  return std::get<0>(_linalg_eigh(self, uplo, false));
}
const Composite linalg_eigvalsh_body{"linalg_eigvalsh", Eigvalsh};

// --- Singular values
Tensor Svdvals(Call call, const Tensor& a, std::optional<std::string_view> driver) {
  RequireMatrices(call.op(), a, "A");
  return std::get<1>(_linalg_svd(a, false, false, driver));
}
const Composite linalg_svdvals_body{"linalg_svdvals", Svdvals};

Three LegacySvd(Call call, const Tensor& self, bool some, bool compute_uv) {
  RequireMatrices(call.op(), self, "self");
  if (compute_uv) {
    const auto [u, s, vh] = linalg_svd(self, !some);
    return {u, s, mH(vh)};
  }
  const auto zeros = [&](int64_t n) {
    std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
    sizes[sizes.size() - 2] = sizes[sizes.size() - 1] = n;
    return new_zeros(self, sizes);
  };
  return {zeros(self.size(-2)), std::get<1>(_linalg_svd(self, false, false)),
          mT(zeros(self.size(-1)))};
}
const Composite svd_body{"svd", LegacySvd};

}  // namespace
}  // namespace sy
