// linalg_lu_factor by linalg_lu_factor_ex, where every matrix is regular.

#include <tuple>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;

Two LuFactor(Call call, const Tensor& a, bool pivot) {
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a, pivot);
  RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  return {lu, pivots};
}
const Composite linalg_lu_factor_body{"linalg_lu_factor", LuFactor};

}  // namespace
}  // namespace sy
