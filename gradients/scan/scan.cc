// Gradients of cumulative sums, products and extremes.
#include <cstdint>
#include <limits>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/scalar.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Sums from the other end.
Tensor SumsAfter(const Tensor& t, int64_t dim) {
  return t.dim() == 0 ? t : flip(cumsum(flip(t, {dim}), dim), {dim});
}
Tensor CumsumSelf(const Grad& g, Unsaved, int64_t dim, Unsaved) { return SumsAfter(g, dim); }
const Gradient cumsum_grad{"cumsum", For("self", CumsumSelf)};
Tensor CumprodSelf(const Grad& g, Output<0> y, const Tensor& self, int64_t dim, Unsaved) {
  return cumprod_backward(g, self, dim, y);
}
const Gradient cumprod_grad{"cumprod", For("self", CumprodSelf)};
// Where it is recorded: Σ_k≥i g_k Π_j≤k,j≠i x_j is Σ_k≥i g_k y_k / x_i where no x is 0, else by the
// products themselves, a line at a time.
Tensor CumprodParts(const Tensor& grad, const Tensor& input, int64_t dim, const Tensor& output) {
  if (input.dim() == 0 || input.numel() == 0) return mul(grad, ones_like(input));
  const Tensor x = conj(input);
  if (!item(any(eq(input, 0))).To<bool>()) {
    return div(SumsAfter(mul(grad, conj(output)), dim), x);
  }
  const int64_t n = input.size(dim);
  std::vector<Tensor> lines;
  lines.reserve(static_cast<size_t>(n));
  Tensor before = ones_like(narrow(x, dim, 0, 1));
  for (int64_t i = 0; i < n; ++i) {
    // Of the others up to each k: those before, and the product of those after up to k.
    Tensor others = before;
    if (i + 1 < n) {
      const Tensor after = mul(before, cumprod(narrow(x, dim, i + 1, n - i - 1), dim));
      others = cat(std::vector<Tensor>{before, after}, dim);
    }
    lines.push_back(sum(mul(narrow(grad, dim, i, n - i), others), dim, true));
    before = mul(before, narrow(x, dim, i, 1));
  }
  return cat(lines, dim);
}
const Decomposition cumprod_backward_parts{"cumprod_backward", CumprodParts};
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
  const double least = g.dtype() == DType::kFloat64
                           ? std::numeric_limits<double>::lowest()
                           : static_cast<double>(std::numeric_limits<float>::lowest());
  const bool followed = autograd::MayBeFollowed();
  const Tensor constant = followed ? detach(g) : g, logs = log(abs(constant));
  const Tensor found =
      sub(later(where(gt(constant, 0), logs, least)), later(where(lt(constant, 0), logs, least)));
  if (!followed) return found;
  // Linear in g, and so are differences, whose logarithms have derivatives at 0, too.
  const Tensor raised = add(mul(amax(abs(constant)), 2), 1);
  const Tensor none = sub(later(log(add(g, raised))), later(log(add(constant, raised))));
  return add(found, where(isfinite(none), none, 0));
}
const Gradient logcumsumexp_grad{"logcumsumexp", For("self", LogcumsumexpSelf)};

}  // namespace
}  // namespace sy
