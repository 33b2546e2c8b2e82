// sparse_mask: elements where a mask holds some.
#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

// Of a sparse self: found by a search, 0 where it holds nothing.
Tensor Found(Call call, const Tensor& self, const Tensor& mask, const SparseState& m) {
  const Tensor held = coalesce(to_sparse(self));
  const SparseState& s = *FindSparse(held);
  const IntVector sizes = SparseSizes(mask, m), dense = DenseSizes(mask, m);
  if (s.sparse_dim != m.sparse_dim) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected as many sparse dimensions as the mask's ", m.sparse_dim, ", got ",
          s.sparse_dim});
  }
  if (s.nnz() == 0) return new_zeros(s.values, Joined({m.nnz()}, dense));
  const Tensor in = FlatPositions(call, s.indices, sizes),
               at = FlatPositions(call, m.indices, sizes);
  const Tensor found = clamp(searchsorted(in, at), std::nullopt, s.nnz() - 1);
  const Tensor absent = ne(index_select(in, 0, found), at);
  const IntVector column = Joined({m.nnz()}, IntVector(dense.size(), 1));
  return masked_fill(index_select(s.values, 0, found), view(absent, column), 0);
}

Tensor SparseMask(Call call, const Tensor& self, const Tensor& mask) {
  const SparseState* m = FindSparse(mask);
  if (m == nullptr) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"the mask must be sparse, got ", Describe(mask)});
  }
  if (!SameSizes(self.sizes(), mask.sizes())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"operands have incompatible sizes: self has size ", self.sizes(), " but mask has size ",
          mask.sizes()});
  }
  if (m->layout != Layout::kSparse && (HasBlocks(m->layout) || HasBatches(*m))) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"masks of blocks and batches are not implemented, got ", Describe(mask)});
  }
  if (self.is_strided()) {
    const std::vector<Tensor> at = PositionLists(*m);
    return WithValues(call, mask,
                      at.empty() ? expand(unsqueeze(self, 0), m->values.sizes()) : index(self, at));
  }
  if (m->layout == Layout::kSparse) return WithValues(call, mask, Found(call, self, mask, *m));
  const Tensor masked = SparseMask(call, self, to_sparse(mask));
  return to_sparse(masked, m->layout, std::nullopt, std::nullopt);
}

const Composite body{"sparse_mask", SparseMask};
const LayoutBody sparse{"sparse_mask", kAnySparse};

}  // namespace
}  // namespace sy
