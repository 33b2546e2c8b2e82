// The first n columns of the product of Householder's reflections, as geqrf gives them.
//   input: [.., m, n], m >= n, float32, float64 or complex; tau: [.., k], k <= n   →   [.., m, n]
// Errors: kInvalidArgument when sizes or dtypes do not fit.
// Example: sy::linalg_householder_product(sy::eye(3), sy::zeros({3}))
// Source: ATen linalg_householder_product, orgqr.
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

void ProductShape(ShapeContext& r, const TensorBase& input, const TensorBase& tau) {
  RequireMatrices(r.op(), input, "input");
  RequireVectorsOf(r.op(), input, tau, "input", "tau", input.dtype());
  const int64_t m = input.size(-2), n = input.size(-1);
  if (m < n) r.Fail({"input must not have more columns than rows, got sizes ", input.sizes()});
  if (tau.size(-1) > n) {
    r.Fail({"tau must not have more elements than input has columns, got sizes ", tau.sizes(),
            " and ", input.sizes()});
  }
  OutputByColumns(r, BatchOf(input), m, n, input.dtype());
}

}  // namespace

const Operator linalg_householder_product_op{
    "linalg_householder_product(Tensor input, Tensor tau) -> Tensor", ProductShape, kOut};
const Operator orgqr_op{"orgqr(Tensor self, Tensor input2) -> Tensor",
                        SameKernels("linalg_householder_product", ProductShape), kOut};

}  // namespace sy
