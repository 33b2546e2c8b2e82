// linalg_lu by linalg_lu_factor_ex, whose result lu_unpack takes apart.

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/core/transfer.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

using Three = std::tuple<Tensor, Tensor, Tensor>;

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

}  // namespace
}  // namespace sy
