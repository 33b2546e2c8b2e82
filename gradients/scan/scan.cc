// Gradients of cumulative sums, products and extremes.
#include <limits>

#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Sums from the other end.
Tensor SumsAfter(const Tensor& t, int64_t dim) {
  return t.dim() == 0 ? t : flip(cumsum(flip(t, {dim}), dim), {dim});
}
Tensor CumsumSelf(const Grad& g, Unsaved, int64_t dim, Optional<DType>) {
  return SumsAfter(g, dim);
}
const Gradient cumsum_grad{"cumsum", For("self", CumsumSelf)};
Tensor CumprodSelf(const Grad& g, Output<0> y, const Tensor& self, int64_t dim, Optional<DType>) {
  return cumprod_backward(g, self, dim, y);
}
const Gradient cumprod_grad{"cumprod", For("self", CumprodSelf)};
Tensor ExtremeSelf(const Grad& g, Output<1> indices, const Tensor& self, int64_t dim) {
  return cummaxmin_backward(g, self, indices, dim);
}
const Gradient cummax_grad{"cummax", For("self", ExtremeSelf)};
const Gradient cummin_grad{"cummin", For("self", ExtremeSelf)};

// Each element has its share of every later sum: e^x · Σ g e^-y, in logarithms, so that nothing
// overflows; positive and negative gradients apart.
Tensor LogcumsumexpSelf(const Grad& g, Output<0> y, const Tensor& self, int64_t dim) {
  if (g.numel() == 0 || g.dim() == 0) return g;
  const auto later = [&](const Tensor& logs) {
    return exp(add(flip(logcumsumexp(flip(sub(logs, y), {dim}), dim), {dim}), self));
  };
  if (IsComplex(g.dtype())) {
    return conj(later(log(conj(g))));
  }
  const Tensor logs = log(abs(g));
  const double least = g.dtype() == DType::kFloat64
                           ? std::numeric_limits<double>::lowest()
                           : static_cast<double>(std::numeric_limits<float>::lowest());
  return sub(later(where(gt(g, 0), logs, least)), later(where(lt(g, 0), logs, least)));
}
const Gradient logcumsumexp_grad{"logcumsumexp", For("self", LogcumsumexpSelf)};

}  // namespace
}  // namespace sy
