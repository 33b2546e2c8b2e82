// linalg_ldl_factor by linalg_ldl_factor_ex, where every matrix has factors.

#include <tuple>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;

Two LdlFactor(Call call, const Tensor& self, bool hermitian) {
  RequireSquare(call.op(), self, "self");
  const auto [ld, pivots, info] = linalg_ldl_factor_ex(self, hermitian);
  RequireNoDefect(call.op(), "self", Defect::kSingular, info);
  return {ld, pivots};
}
const Composite linalg_ldl_factor_body{"linalg_ldl_factor", LdlFactor};

}  // namespace
}  // namespace sy
