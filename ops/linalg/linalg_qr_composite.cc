// linalg_qr by geqrf, whose reflections linalg_householder_product multiplies.

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;

Two Qr(Call call, const Tensor& a, std::string_view mode) {
  RequireMatrices(call.op(), a, "A");
  if (mode != "reduced" && mode != "complete" && mode != "r") {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"mode must be 'reduced', 'complete' or 'r', got '", mode, "'"});
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

}  // namespace
}  // namespace sy
