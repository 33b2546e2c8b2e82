// linalg_svdvals and svd by _linalg_svd.

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

using Three = std::tuple<Tensor, Tensor, Tensor>;

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
