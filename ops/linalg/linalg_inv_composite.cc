// Inverses by L and U.

#include <tuple>

#include "ops/linalg/identity_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;

Two InvEx(Call call, const Tensor& a, bool check_errors) {
  RequireSquare(call.op(), a, "A");
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a);
  if (check_errors) RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  return {linalg_lu_solve(lu, pivots, Identity(a)), info};
}
Tensor Inv(Call call, const Tensor& a) { return std::get<0>(InvEx(call, a, true)); }
const Composite linalg_inv_ex_body{"linalg_inv_ex", InvEx};
const Composite linalg_inv_body{"linalg_inv", Inv};
const Composite inverse_body{"inverse", Inv};

}  // namespace
}  // namespace sy
