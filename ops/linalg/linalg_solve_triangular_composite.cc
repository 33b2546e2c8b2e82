// triangular_solve by linalg_solve_triangular.

#include <tuple>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;

Two TriangularSolve(Call call, const Tensor& self, const Tensor& a, bool upper, bool transpose,
                    bool unitriangular) {
  RequireEquation(call.op(), a, self, "A", "self", true);
  std::vector<int64_t> sizes = CommonBatch(call.op(), a, self);
  sizes.insert(sizes.end(), {a.size(-2), a.size(-1)});
  const Tensor copy = mT(clone(mT(expand(a, sizes)), MemoryFormat::kContiguous));
  return {
      linalg_solve_triangular(transpose ? mT(a) : a, self, upper != transpose, true, unitriangular),
      copy};
}
const Composite triangular_solve_body{"triangular_solve", TriangularSolve};

}  // namespace
}  // namespace sy
