// linalg_cholesky by linalg_cholesky_ex, where every matrix has a factor.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

Tensor Cholesky(Call call, const Tensor& self, bool upper) {
  RequireSquare(call.op(), self, "self");
  const auto [factor, info] = linalg_cholesky_ex(self, upper);
  RequireNoDefect(call.op(), "self", Defect::kNotPositiveDefinite, info);
  return factor;
}
const Composite linalg_cholesky_body{"linalg_cholesky", Cholesky};
const Composite cholesky_body{"cholesky", Cholesky};

}  // namespace
}  // namespace sy
