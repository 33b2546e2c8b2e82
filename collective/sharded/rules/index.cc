// Elements by positions.
#include <algorithm>

#include "collective/sharded/plan_internal.h"

namespace sy::sharded {
namespace {

int64_t DimOf(const Plan& p, int64_t rank) {
  const int64_t d = p.Int("dim", 0);
  return d < 0 ? d + rank : d;
}

// index_select(self, dim, index): self along other dimensions; the result along dim, by the index.
void IndexSelect(Plan& p) {
  const size_t self = At(p, "self"), index = At(p, "index");
  if (p.dim(self) == 0) return;
  const int64_t dim = DimOf(p, p.dim(self));
  if (const Placement from = p.from(self); from.sharded() && from.dim != dim) {
    p.in[self] = from;
    p.out[0] = from;
    p.Offer();
  }
  if (p.from(index).sharded() && p.dim(index) == 1) {
    p.in[index] = Shard(0);
    p.out[0] = Shard(dim);
    p.Offer();
  }
  if (const Placement from = p.from(self); from.partial() && from.op == PartialOp::kSum) {
    p.in[self] = from;
    p.out[0] = from;
    p.Offer();
  }
}

// gather(self, dim, index): along dim by the index; along others where both have all.
void Gather(Plan& p) {
  const size_t self = At(p, "self"), index = At(p, "index");
  if (p.dim(self) == 0 || p.dim(index) != p.dim(self)) return;
  const int64_t dim = DimOf(p, p.dim(self));
  if (p.from(index).shards(dim)) {
    p.in[index] = Shard(dim);
    p.out[0] = Shard(dim);
    p.Offer();
  }
  for (const size_t k : {self, index}) {
    const Placement from = p.from(k);
    if (!from.sharded() || from.dim == dim) continue;
    if (p.sizes(self)[from.dim] != p.sizes(index)[from.dim]) continue;
    p.in[self] = p.in[index] = from;
    p.out[0] = from;
    p.Offer();
  }
}

// index_add, index_copy and index_fill: along other dimensions, of what has them all.
void IndexWrite(Plan& p) {
  const size_t self = At(p, "self");
  const int source = p.Find("source");
  if (p.dim(self) == 0) return;
  const int64_t dim = DimOf(p, p.dim(self));
  std::vector<Placement> wanted = {p.from(self)};
  if (source >= 0) wanted.push_back(p.from(static_cast<size_t>(source)));
  for (const Placement& from : wanted) {
    if (!from.sharded() || from.dim == dim) continue;
    if (source >= 0) {
      const auto s = static_cast<size_t>(source);
      if (p.dim(s) != p.dim(self) || p.sizes(s)[from.dim] != p.sizes(self)[from.dim]) continue;
      p.in[s] = from;
    }
    p.in[self] = from;
    p.out[0] = from;
    p.Offer();
  }
}

// scatter and its kind: along other dimensions, where index, source and self have all.
void Scatter(Plan& p) {
  const size_t self = At(p, "self"), index = At(p, "index");
  if (p.dim(self) == 0 || p.dim(index) != p.dim(self)) return;
  const int64_t dim = DimOf(p, p.dim(self));
  const int src = p.Find("src");
  for (size_t k = 0; k < p.operands.size(); ++k) {
    const Placement from = p.from(k);
    if (!from.sharded() || p.dim(k) != p.dim(self) || from.dim == dim) continue;
    const int64_t size = p.sizes(self)[from.dim];
    if (p.sizes(index)[from.dim] != size) continue;
    if (src >= 0 && (p.dim(static_cast<size_t>(src)) != p.dim(self) ||
                     p.sizes(static_cast<size_t>(src))[from.dim] != size))
      continue;
    p.in[self] = p.in[index] = from;
    if (src >= 0) p.in[static_cast<size_t>(src)] = from;
    p.out[0] = from;
    p.Offer();
  }
}

const RuleFor index_select(IndexSelect, {"index_select"});
const RuleFor gather(Gather, {"gather"});
const RuleFor index_write(IndexWrite, {"index_add", "index_copy", "index_fill"});
const RuleFor scatter(Scatter, {"scatter", "scatter_add", "scatter_reduce"});

}  // namespace
}  // namespace sy::sharded
