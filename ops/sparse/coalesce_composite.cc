// coalesce: positions as one number each are sorted, and what is equal is added.
#include <tuple>

#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

// [n, dense..] of the rows that inverse names, added; of bool whether any is true.
Tensor Added(const Tensor& values, const Tensor& inverse, int64_t n) {
  const IntVector sizes = Joined({n}, values.sizes().subspan(1));
  if (values.dtype() == DType::kBool) {
    const Tensor counts = new_zeros(values, sizes, {.dtype = DType::kInt64});
    index_add_(counts, 0, inverse, to(values, DType::kInt64));
    return ne(counts, 0);
  }
  const Tensor sums = new_zeros(values, sizes);
  index_add_(sums, 0, inverse, values);
  return sums;
}

Tensor CoalesceAlways(Call call, const Tensor& self) {
  const SparseState& s = RequireCoo(call, self);
  if (s.nnz() < 2) return MakeCoo(call, self.sizes(), clone(s.indices), clone(s.values), true);
  const IntVector sizes = SparseSizes(self, s);
  const Tensor flat = FlatPositions(call, s.indices, sizes);
  const auto [sorted, order] = sort(flat, true, 0, false);
  const auto [unique, inverse, counts] = unique_consecutive(sorted, true);
  const Tensor held = index_select(s.values, 0, order);
  const int64_t n = unique.sizes()[0];
  const Tensor all = n == s.nnz() ? held : Added(held, inverse, n);
  return MakeCoo(call, self.sizes(), UnflatPositions(unique, sizes), all, true);
}

Tensor Coalesce(Call call, const Tensor& self) {
  return RequireCoo(call, self).coalesced ? self : CoalesceAlways(call, self);
}

void SetCoalesced(Call call, const Tensor& self, bool coalesced) {
  const SparseState& s = RequireCoo(call, self);
  BecomeSparse(self, MakeCooAsSaid(call, self.sizes(), s.indices, s.values, coalesced));
}

const Composite coalesce_body{"coalesce", Coalesce};
const LayoutBody coalesce_sparse{"coalesce", kAnySparse};
const Composite always_body{"_coalesce", CoalesceAlways};
const LayoutBody always_sparse{"_coalesce", kAnySparse};
const Composite set_body{"_coalesced_", SetCoalesced};
const LayoutBody set_sparse{"_coalesced_", kAnySparse};

}  // namespace
}  // namespace sy
