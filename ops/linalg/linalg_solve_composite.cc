// Solutions of linear equations by L and U.

#include <tuple>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;
using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

// A batch of vectors is laid out as if it were one matrix by columns: ATen's choice.
Tensor VectorsByColumns(const Tensor& t) { return t.dim() < 2 ? t : mT(contiguous(mT(t))); }

Four SolveEx(Call call, const Tensor& a, const Tensor& b, bool left, bool check_errors) {
  RequireSquare(call.op(), a, "A");
  const bool vector =
      b.dim() == 1 || (b.dim() == a.dim() - 1 &&
                       SameSizes(b.sizes(), a.sizes().first(static_cast<size_t>(b.dim()))));
  if (vector && !left) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"B must be matrices without left, got sizes ", b.sizes()});
  }
  const Tensor right = vector ? unsqueeze(b, -1) : b;
  RequireEquation(call.op(), a, right, "A", "B", left);
  CommonBatch(call.op(), a, right);
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a);
  if (check_errors) RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  const Tensor x = linalg_lu_solve(lu, pivots, right, left);
  return {vector ? VectorsByColumns(squeeze(x, -1)) : x, lu, pivots, info};
}
Two SolveWithInfo(Call call, const Tensor& a, const Tensor& b, bool left, bool check_errors) {
  const auto [x, lu, pivots, info] = SolveEx(call, a, b, left, check_errors);
  return {x, info};
}
Tensor Solve(Call call, const Tensor& a, const Tensor& b, bool left) {
  return std::get<0>(SolveEx(call, a, b, left, true));
}
const Composite solve_with_factors_body{"_linalg_solve_ex", SolveEx};
const Composite linalg_solve_ex_body{"linalg_solve_ex", SolveWithInfo};
const Composite linalg_solve_body{"linalg_solve", Solve};

}  // namespace
}  // namespace sy
