// The product of Q, which Householder's reflections make (geqrf), and another matrix: Q C, or C Q
// without `left`; of Q^H with `transpose`.
//   self: [.., p, q], the reflections' vectors; input2: [.., min(p, q)], their factors; input3:
//   [.., m, n], p = m (left) or p = n; one dtype and batch   →   [.., m, n]
// Errors: kInvalidArgument when sizes or dtypes do not fit.
// Example: sy::ormqr(sy::eye(3), sy::zeros({3}), sy::ones({3, 2}))
// Source: ATen ormqr.
#include <algorithm>

#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void OrmqrShape(ShapeContext& r, const TensorBase& self, const TensorBase& input2,
                const TensorBase& input3, bool left, bool /*transpose*/) {
  RequireMatrices(r.op(), self, "self");
  RequireMatrices(r.op(), input3, "input3");
  RequireSameDType(r, self, input3, "self", "input3");
  RequireVectorsOf(r.op(), self, input2, "self", "input2", self.dtype());
  if (!SameSizes(BatchOf(self), BatchOf(input3))) {
    r.Fail({"self and input3 must have the same batch, got sizes ", self.sizes(), " and ",
            input3.sizes()});
  }
  const int64_t side = input3.size(left ? -2 : -1);
  if (self.size(-2) != side) {
    r.Fail({"self must have as many rows as input3 has ", left ? "rows" : "columns", ", got sizes ",
            self.sizes(), " and ", input3.sizes()});
  }
  if (input2.size(-1) != std::min(side, self.size(-1))) {
    r.Fail({"input2 must have ", std::min(side, self.size(-1)),
            " elements for each of self's matrices, got sizes ", input2.sizes(), " and ",
            self.sizes()});
  }
  OutputByColumns(r, BatchOf(input3), input3.size(-2), input3.size(-1), input3.dtype());
}

}  // namespace

const Operator ormqr_op{
    "ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> "
    "Tensor",
    OrmqrShape, kOut};

}  // namespace sy
