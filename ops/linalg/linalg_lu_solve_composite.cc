// lu_solve by linalg_lu_solve.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

Tensor LegacyLuSolve(Call call, const Tensor& self, const Tensor& lu, const Tensor& pivots) {
  RequireEquation(call.op(), lu, self, "LU_data", "self", true);
  return linalg_lu_solve(lu, pivots, self);
}
const Composite lu_solve_body{"lu_solve", LegacyLuSolve};

}  // namespace
}  // namespace sy
