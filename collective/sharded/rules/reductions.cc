// Reductions: over dimensions that are not sharded each rank has its part of the result; over one
// that is, each has a term of it, where there is an operation that puts terms together.
#include <algorithm>
#include <bit>

#include "collective/sharded/plan_internal.h"
#include "switchyard/core/dtype.h"
#include "switchyard/ops.h"

namespace sy::sharded {
namespace {

// Where dimension d is once those of `dims` are reduced.
int64_t After(int64_t d, uint64_t dims, bool keepdim) {
  const uint64_t before = dims & ((uint64_t{1} << d) - 1);
  return keepdim ? d : d - std::popcount(before);
}

struct Shape {
  uint64_t dims;  // reduced
  bool keepdim;
};
Shape ShapeOf(const Plan& p) { return {p.Dims("dim", p.dim(0)), p.Flag("keepdim")}; }

// Parts of what is kept.
void Kept(Plan& p, const Shape& s) {
  const Placement from = p.from(0);
  if (!from.sharded() || (s.dims >> from.dim & 1) != 0) return;
  p.in[0] = from;
  std::fill(p.out.begin(), p.out.end(), Shard(After(from.dim, s.dims, s.keepdim)));
  p.Offer();
}

// Terms of what is reduced. some: whether each rank must have something.
void Terms(Plan& p, const Shape& s, const char* op, bool some) {
  const Placement from = p.from(0);
  if (!from.sharded() || (s.dims >> from.dim & 1) == 0) return;
  if (some && !p.AllHaveSome(0, from.dim)) return;
  p.in[0] = from;
  std::fill(p.out.begin(), p.out.end(), Partial(op));
  p.Offer();
}

bool KeepsDType(const Plan& p) {
  const bool floating = IsFloating(p.dtype(0)) || IsComplex(p.dtype(0));
  return floating && !p.metas.empty() && p.metas[0].dtype() == p.dtype(0);
}
void TermsOfTerms(Plan& p) {
  if (!IsSum(p.from(0)) || !KeepsDType(p)) return;
  p.in[0] = p.from(0);
  std::fill(p.out.begin(), p.out.end(), p.from(0));
  p.Offer();
}

void Sum(Plan& p) {
  const Shape s = ShapeOf(p);
  Kept(p, s);
  Terms(p, s, "sum", false);
  TermsOfTerms(p);
}

// Each rank's mean counts by how much of the whole it is of.
void WeightedMean(const Plan& p, std::span<const Value> args, std::span<Result> results,
                  const Plan::Body& call) {
  call(args, results);
  const Tensor mine = results[0].TakeTensor();
  const Tensor& local = args[0].tensor();
  const Shape s = ShapeOf(p);
  double share = 1;
  for (int64_t d = 0; d < local.dim(); ++d) {
    if ((s.dims >> d & 1) == 0) continue;
    const auto whole = static_cast<double>(p.sizes(0)[static_cast<size_t>(d)]);
    if (whole != 0) share *= static_cast<double>(local.size(d)) / whole;
  }
  // Of nothing the mean is NaN, which would not vanish.
  results[0].Set(share == 0 ? zeros_like(mine) : share == 1 ? mine : mul(mine, share));
}

void Mean(Plan& p) {
  if (!p.metas.empty()) p.body = WeightedMean;
  const Shape s = ShapeOf(p);
  Kept(p, s);
  if (p.body) Terms(p, s, "sum", false);
  TermsOfTerms(p);
}

void Product(Plan& p) {
  const Shape s = ShapeOf(p);
  Kept(p, s);
  Terms(p, s, "product", false);
}

void Greatest(Plan& p) {
  const Shape s = ShapeOf(p);
  Kept(p, s);
  if (p.out.size() == 1) Terms(p, s, "max", true);
}
void Least(Plan& p) {
  const Shape s = ShapeOf(p);
  Kept(p, s);
  if (p.out.size() == 1) Terms(p, s, "min", true);
}
// max(x), and max(x, dim), which also says where; max(x, y) is element by element.
void MaxOrMaximum(Plan& p) { p.Argument("other") != nullptr ? Pointwise(p) : Greatest(p); }
void MinOrMinimum(Plan& p) { p.Argument("other") != nullptr ? Pointwise(p) : Least(p); }

void All(Plan& p) {
  const Shape s = ShapeOf(p);
  Kept(p, s);
  Terms(p, s, "min", false);
}
void Any(Plan& p) {
  const Shape s = ShapeOf(p);
  Kept(p, s);
  Terms(p, s, "max", false);
}

// Those of which terms do not make the whole.
void OfKeptOnly(Plan& p) { Kept(p, ShapeOf(p)); }

const RuleFor sums(Sum, {"sum", "nansum", "count_nonzero"});
const RuleFor means(Mean, {"mean"});
const RuleFor products(Product, {"prod"});
const RuleFor greatest(Greatest, {"amax"});
const RuleFor least(Least, {"amin"});
const RuleFor maxima(MaxOrMaximum, {"max"});
const RuleFor minima(MinOrMinimum, {"min"});
const RuleFor alls(All, {"all"});
const RuleFor anys(Any, {"any"});
const RuleFor kept(OfKeptOnly, {"argmax", "argmin", "var", "std", "var_mean", "std_mean",
                                "logsumexp", "linalg_vector_norm", "norm", "median", "nanmedian",
                                "mode", "kthvalue", "aminmax"});

}  // namespace
}  // namespace sy::sharded
