// Rules of distances between the rows of one matrix.
#include <cstdint>

#include "switchyard/transforms/forward.h"
#include "transforms/rules/distance_internal.h"
#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

// Of n rows, each with each behind it.
struct Pairs {
  Tensor first, second;
  explicit Pairs(const Tensor& x) {
    const Tensor both =
        triu_indices(x.size(0), x.size(0), 1, DType::kInt64, std::nullopt, x.device());
    first = select(both, 0, 0);
    second = select(both, 0, 1);
  }
  Tensor Differences(const Tensor& x) const {
    return sub(index_select(x, 0, first), index_select(x, 0, second));
  }
};

Tensor PdistForward(const Tensor& x, double p) {
  const Pairs pairs(x);
  if (x.size(1) == 0) return new_zeros(x, {pairs.first.size(0)});
  constexpr int64_t kLast = -1;
  return linalg_vector_norm(pairs.Differences(x), p, IntSpan(&kLast, 1));
}
const Batching pdist_rule{{"_pdist_forward", "pdist"}, Decomposed(PdistForward)};

Tensor PdistBackward(const Tensor& g, const Tensor& x, double p, const Tensor& distances) {
  if (p == 0 || x.size(1) == 0) return zeros_like(x);
  const Pairs pairs(x);
  const Tensor slope = NormSlope(pairs.Differences(x), unsqueeze(distances, -1), p);
  const Tensor part = mul(unsqueeze(g, -1), slope);
  return index_add(index_add(zeros_like(x), 0, pairs.first, part), 0, pairs.second, neg(part));
}
const Batching pdist_backward_rule{"_pdist_backward", Decomposed(PdistBackward)};

// --- Tangents, also of distances between two matrices' rows.

void PdistTangent(TangentCall& c) {
  const Tensor& x = c.primal(0);
  const double p = c.args[1].scalar().To<double>();
  const Pairs pairs(x);
  const Tensor slope = NormSlope(pairs.Differences(x), unsqueeze(c.result(), -1), p);
  c.Set(0, sum(mul(slope, pairs.Differences(c.tangent(0))), {-1}));
}
const Tangent pdist_tangent{{"_pdist_forward", "pdist"}, PdistTangent};
void CdistTangent(TangentCall& c) {
  const double p = c.args[2].scalar().To<double>();
  const auto first = [](const Tensor& t) { return unsqueeze(t, -2); };
  const auto second = [](const Tensor& t) { return unsqueeze(t, -3); };
  const Tensor &t = c.tangent(0), &u = c.tangent(1);
  const Tensor moved = !t.defined()  ? neg(second(u))
                       : u.defined() ? sub(first(t), second(u))
                                     : first(t);
  const Tensor d = sub(first(c.primal(0)), second(c.primal(1)));
  c.Set(0, sum(mul(NormSlope(d, unsqueeze(c.result(), -1), p), moved), {-1}));
}
const Tangent cdist_tangent{{"_cdist_forward", "cdist"}, CdistTangent};

}  // namespace
}  // namespace sy::transforms
