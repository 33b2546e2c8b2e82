// demo::rms_norm: rows divided by their root mean square, times a weight.
//   y[.., j] = x[.., j] / sqrt(mean(x[.., :]²) + eps) * weight[j]
// Source: Zhang, Sennrich, "Root Mean Square Layer Normalization", 2019, equation 4.

#include "switchyard/op/operator.h"
#include "switchyard/ops/shape_functions.h"

namespace demo {
namespace {

void RmsNormShape(sy::ShapeContext& r, const sy::TensorBase& x, const sy::TensorBase& weight,
                  double) {
  sy::RequireDType(r, x, sy::kFloatingTypes, "x");
  sy::RequireSameDType(r, x, weight, "x", "weight");
  if (x.dim() == 0) r.Fail({"x must have a dimension, got a 0-d tensor"});
  const int64_t n = x.sizes().back();
  if (n == 0) r.Fail({"rows of x must not be empty, got sizes ", x.sizes()});
  if (weight.dim() != 1 || weight.sizes()[0] != n)
    r.Fail({"weight must have the size of x's rows, [", n, "], got ", weight.sizes()});
  r.OutputLike(x);
}

const sy::Operator rms_norm{"demo::rms_norm(Tensor x, Tensor weight, float eps=1e-6) -> Tensor",
                            RmsNormShape, sy::kOut};

}  // namespace
}  // namespace demo
