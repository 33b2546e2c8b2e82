// Householder's reflections that make each matrix upper triangular: R above and on the diagonal of
// a, the reflections' vectors below, their factors in tau. linalg_householder_product makes Q of
// them, ormqr multiplies by it.
//   self: [.., m, n], float32, float64 or complex   →   a: [.., m, n], tau: [.., min(m, n)]
// Errors: kInvalidArgument when self is no matrix or of another dtype.
// Example: auto [reflected, tau] = sy::geqrf(sy::eye(3))
// Source: ATen geqrf.
#include <algorithm>

#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void GeqrfShape(ShapeContext& r, const TensorBase& self) {
  RequireMatrices(r.op(), self, "self");
  const int64_t m = self.size(-2), n = self.size(-1);
  OutputByColumns(r, BatchOf(self), m, n, self.dtype()).cast = CastPolicy::kCan;
  OutputPerMatrix(r, BatchOf(self), {std::min(m, n)}, self.dtype()).cast = CastPolicy::kCan;
}

}  // namespace

const Operator geqrf_op{
    "geqrf(Tensor self) -> (Tensor a, Tensor tau)", Outputs<2>(GeqrfShape),
    Out("geqrf.a(Tensor self, *, Tensor(a!) a, Tensor(b!) tau) -> (Tensor(a!) a, Tensor(b!) tau)")};

}  // namespace sy
