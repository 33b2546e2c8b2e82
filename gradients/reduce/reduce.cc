// Gradients of sums, products and extremes.
#include <cmath>
#include <utility>

#include "switchyard/autograd/gradient.h"
#include "switchyard/gradients/reduced.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

IntSpan SpanOf(const Optional<IntSpan>& dims) { return dims ? *dims : IntSpan(); }

Tensor SumSelf(const Grad& g, Like self, Unsaved) { return expand(g, self.sizes()); }
const Gradient sum_grad{"sum", For("self", SumSelf)};
Tensor SumDimSelf(const Grad& g, Like self, Optional<IntSpan> dims, bool keepdim, Unsaved) {
  return expand(Kept(g, SpanOf(dims), keepdim, self.dim()), self.sizes());
}
const Gradient sum_dim_grad{"sum.dim_IntList", For("self", SumDimSelf)};

// How many of all elements a result was made of; of no results, any number does.
int64_t Each(int64_t all, const Tensor& results) {
  return results.numel() == 0 ? 1 : all / results.numel();
}
Tensor MeanSelf(const Grad& g, Like self, Optional<IntSpan> dims, bool keepdim, Unsaved) {
  const Tensor kept = Kept(g, SpanOf(dims), keepdim, self.dim());
  return div(expand(kept, self.sizes()), Each(self.numel(), g));
}
const Gradient mean_grad{"mean.dim", For("self", MeanSelf)};
Tensor NansumSelf(const Grad& g, const Tensor& self, Optional<IntSpan> dims, bool keepdim,
                  Unsaved) {
  return mul(Kept(g, SpanOf(dims), keepdim, self.dim()), logical_not(isnan(self)));
}
const Gradient nansum_grad{"nansum", For("self", NansumSelf)};

// Of Σ |x - m|² / (n - c): 2 (x - m) / (n - c).
Tensor OfVariance(const Tensor& g, const Tensor& self, const Optional<IntSpan>& dims,
                  const std::optional<Scalar>& correction, bool keepdim) {
  const IntSpan span = SpanOf(dims);
  const double freedom =
      static_cast<double>(Each(self.numel(), g)) - (correction ? correction->To<double>() : 1);
  const Tensor away = sub(self, mean(self, dims ? Optional<IntSpan>(span) : std::nullopt, true));
  return mul(mul(Kept(g, span, keepdim, self.dim()), 2 / freedom), away);
}
// The slope of a root is 1 / (2 y); nothing passes where it is 0.
Tensor ThroughRoot(const Tensor& g, const Tensor& y) {
  return masked_fill(div(g, mul(y, 2)), eq(y, 0), 0);
}
Tensor VarSelf(const Grad& g, const Tensor& self, Optional<IntSpan> dims,
               const std::optional<Scalar>& correction, bool keepdim) {
  return OfVariance(g, self, dims, correction, keepdim);
}
const Gradient var_grad{"var.correction", For("self", VarSelf)};
Tensor StdSelf(const Grad& g, Output<0> y, const Tensor& self, Optional<IntSpan> dims,
               const std::optional<Scalar>& correction, bool keepdim) {
  return OfVariance(ThroughRoot(g, y), self, dims, correction, keepdim);
}
const Gradient std_grad{"std.correction", For("self", StdSelf)};
Tensor WithMean(const Grad& g, Tensor all, const Tensor& self, const Optional<IntSpan>& dims,
                bool keepdim) {
  if (!g.defined(1)) return all;
  const Tensor kept = Kept(g[1], SpanOf(dims), keepdim, self.dim());
  const Tensor part = div(expand(kept, self.sizes()), Each(self.numel(), g[1]));
  return all.defined() ? add(all, part) : part;
}
Tensor VarMeanSelf(const Grad& g, const Tensor& self, Optional<IntSpan> dims,
                   const std::optional<Scalar>& correction, bool keepdim) {
  Tensor all;
  if (g.defined(0)) all = OfVariance(g[0], self, dims, correction, keepdim);
  return WithMean(g, std::move(all), self, dims, keepdim);
}
const Gradient var_mean_grad{"var_mean.correction", For("self", VarMeanSelf)};
Tensor StdMeanSelf(const Grad& g, Output<0> y, const Tensor& self, Optional<IntSpan> dims,
                   const std::optional<Scalar>& correction, bool keepdim) {
  Tensor all;
  if (g.defined(0)) {
    all = OfVariance(ThroughRoot(g[0], y), self, dims, correction, keepdim);
  }
  return WithMean(g, std::move(all), self, dims, keepdim);
}
const Gradient std_mean_grad{"std_mean.correction", For("self", StdMeanSelf)};

// Each element's share of the sum of exponentials.
Tensor LogsumexpSelf(const Grad& g, Output<0> y, const Tensor& self, IntSpan dims, bool keepdim) {
  const int64_t rank = self.dim();
  const Tensor share = exp(sub(self, Kept(y, dims, keepdim, rank)));
  return mul(Kept(g, dims, keepdim, rank), conj(share));
}
const Gradient logsumexp_grad{"logsumexp", For("self", LogsumexpSelf)};

// The product of all but one: of those before and those after, which is right at zeros too.
Tensor ProdOfLine(const Tensor& g, const Tensor& x, int64_t dim) {
  const int64_t n = x.size(dim);
  if (n == 0) return zeros_like(x);
  const Tensor ones = ones_like(narrow(x, dim, 0, 1));
  const Tensor before = cumprod(cat({ones, narrow(x, dim, 0, n - 1)}, dim), dim);
  const Tensor after =
      flip(cumprod(cat({ones, flip(narrow(x, dim, 1, n - 1), {dim})}, dim), dim), {dim});
  return mul(g, conj(mul(before, after)));
}
Tensor ProdSelf(const Grad& g, const Tensor& self, Unsaved) {
  if (self.dim() == 0) return g;
  return reshape(ProdOfLine(g, reshape(self, {-1}), 0), self.sizes());
}
const Gradient prod_grad{"prod", For("self", ProdSelf)};
Tensor ProdDimSelf(const Grad& g, const Tensor& self, int64_t dim, bool keepdim, Unsaved) {
  if (self.dim() == 0) return g;
  return ProdOfLine(keepdim ? g.tensor() : unsqueeze(g, dim), self, dim);
}
const Gradient prod_dim_grad{"prod.dim_int", For("self", ProdDimSelf)};

// As in ATen a NaN is no element of a line: nothing is shared, and its gradient is NaN.
Tensor AmaxSelf(const Grad& g, Output<0> y, const Tensor& self, IntSpan dims, bool keepdim) {
  const int64_t rank = self.dim();
  return Shared(Kept(g, dims, keepdim, rank), eq(self, Kept(y, dims, keepdim, rank)), dims);
}
const Gradient amax_grad{"amax", For("self", AmaxSelf)};
const Gradient amin_grad{"amin", For("self", AmaxSelf)};
Tensor MaxSelf(const Grad& g, Output<0> y, const Tensor& self) {
  return SharedByChosen(g, y, self, {});
}
const Gradient max_grad{"max", For("self", MaxSelf)};
const Gradient min_grad{"min", For("self", MaxSelf)};
Tensor AminmaxSelf(const Grad& g, Output<0> low, Output<1> high, const Tensor& self,
                   Optional<int64_t> dim, bool keepdim) {
  const int64_t at[] = {dim ? *dim : 0};
  const IntSpan dims = dim ? IntSpan(at) : IntSpan();
  const int64_t rank = self.dim();
  Tensor all;
  const auto add_to = [&](const Tensor& part, const Tensor& extreme) {
    if (!part.defined()) return;
    const Tensor share =
        Shared(Kept(part, dims, keepdim, rank), eq(self, Kept(extreme, dims, keepdim, rank)), dims);
    all = all.defined() ? add(all, share) : share;
  };
  add_to(g[0], low);
  add_to(g[1], high);
  return all;
}
const Gradient aminmax_grad{"aminmax", For("self", AminmaxSelf)};

// Along one dim the position is known: the gradient goes there.
Tensor Picked(const Grad& g, Output<1> indices, Like self, int64_t dim, bool keepdim) {
  return value_selecting_reduction_backward(g, dim, indices, self.sizes(), keepdim);
}
const Gradient max_dim_grad{"max.dim", For("self", Picked)};
const Gradient min_dim_grad{"min.dim", For("self", Picked)};

const NotDifferentiable counts{
    "argmax",      "argmin",   "count_nonzero", "count_nonzero.dim_IntList",
    "hash_tensor", "all.dims", "any.dims"};

}  // namespace
}  // namespace sy
