// to_sparse and its like: where elements are not 0, and conversions between sparse layouts.
#include <optional>

#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

[[noreturn]] void Bad(Call call, std::initializer_list<Piece> pieces) {
  Fail(ErrorCode::kInvalidArgument, call.op(), pieces);
}

// Whether anything in the last `dense` dimensions is not 0: [leading sizes].
Tensor Occupied(const Tensor& t, int64_t dense) {
  const Tensor on = ne(t, 0);
  if (dense == 0) return on;
  IntVector dims;
  dims.reserve(static_cast<size_t>(dense));
  for (int64_t d = t.dim() - dense; d < t.dim(); ++d) dims.push_back(d);
  return any(on, dims);
}

Tensor DenseToCoo(Call call, const Tensor& self, int64_t sparse_dim) {
  if (self.dim() > 0 && sparse_dim == 0)
    Bad(call, {"sparse_dim must be above 0 for a tensor of ", self.dim(), " dimensions"});
  if (sparse_dim < 0 || sparse_dim > self.dim())
    Bad(call, {"sparse_dim must be in [0, ", self.dim(), "], got ", sparse_dim});
  const IntVector sizes(self.sizes().begin(), self.sizes().begin() + sparse_dim);
  const IntSpan dense = self.sizes().subspan(sizes.size());
  const Tensor on = Occupied(self, self.dim() - sparse_dim);
  const Tensor flat = select(nonzero(reshape(on, {-1})), 1, 0);
  const Tensor rows = reshape(self, Joined({NumElements(sizes)}, dense));
  return MakeCoo(call, self.sizes(), UnflatPositions(flat, sizes), index_select(rows, 0, flat),
                 true);
}

// --- To compressed layouts.

struct Target {
  Layout layout;
  IntVector blocks;   // of BSR and BSC: rows, columns
  int64_t dense_dim;  // of the result
};

// [batch.., rows, columns, dense..] as [batch.., rows / r, columns / c, r, c, dense..].
Tensor InBlocks(Call call, const Tensor& t, const Target& to) {
  const auto at = static_cast<size_t>(t.dim() - to.dense_dim - 2);
  const int64_t rows = t.sizes()[at], columns = t.sizes()[at + 1], r = to.blocks[0],
                c = to.blocks[1];
  if (r < 1 || c < 1 || rows % r != 0 || columns % c != 0) {
    Bad(call, {"the sparse size [", rows, ", ", columns, "] must be divisible by blocksize [", r,
               ", ", c, "]"});
  }
  IntVector sizes(t.sizes().begin(), t.sizes().begin() + static_cast<int64_t>(at));
  sizes.insert(sizes.end(), {rows / r, r, columns / c, c});
  const auto d = static_cast<int64_t>(at);
  return contiguous(transpose(reshape(t, Joined(sizes, t.sizes().subspan(at + 2))), d + 1, d + 2));
}

Tensor DenseToCompressed(Call call, const Tensor& self, const Target& to) {
  const int64_t batch = self.dim() - 2 - to.dense_dim;
  if (to.dense_dim < 0 || batch < 0) {
    Bad(call, {"expected at least 2 dimensions beside ", to.dense_dim, " dense ones, got sizes ",
               self.sizes()});
  }
  const bool blocks = HasBlocks(to.layout), by_rows = HasCompressedRows(to.layout);
  const Tensor all = blocks ? InBlocks(call, self, to) : contiguous(self);
  const auto at = static_cast<size_t>(batch);
  const IntSpan held = all.sizes().subspan(at + 2);
  const int64_t rows = all.sizes()[at], columns = all.sizes()[at + 1];
  const int64_t b = NumElements(self.sizes().first(at));
  Tensor on = view(Occupied(all, static_cast<int64_t>(held.size())), {b, rows, columns});
  if (!by_rows) on = transpose(on, 1, 2);
  const Tensor counts = sum(on, {2});  // int64 [b, outer]
  const Tensor totals = sum(counts, {1});
  if (b > 1 && HasData(self) && AnyOf(ne(totals, select(totals, 0, 0))))
    Bad(call, {"expected the same number of specified elements per batch"});
  const Tensor at_all = nonzero(on);  // [n, 3], in the order of what is compressed
  const int64_t n = at_all.sizes()[0], nnz = b == 0 ? 0 : n / b;
  const Tensor outer = select(at_all, 1, 1), inner = select(at_all, 1, 2);
  const Tensor &row = by_rows ? outer : inner, &column = by_rows ? inner : outer;
  const Tensor flat = add(column, add(row, select(at_all, 1, 0), rows), columns);
  const Tensor values = index_select(reshape(all, Joined({b * rows * columns}, held)), 0, flat);
  const IntVector batches(self.sizes().begin(), self.sizes().begin() + batch);
  const int64_t n_outer = by_rows ? rows : columns;
  const Tensor compressed = cat({new_zeros(counts, {b, 1}), cumsum(counts, 1)}, 1);
  return MakeCompressed(call, to.layout, self.sizes(),
                        view(compressed, Joined(batches, IntVector{n_outer + 1})),
                        view(contiguous(inner), Joined(batches, IntVector{nnz})),
                        view(values, Joined(Joined(batches, IntVector{nnz}), held)), to.dense_dim);
}

// Of a matrix: sorted by what is compressed.
Tensor CooToCompressed(Call call, const Tensor& self, Layout layout) {
  const bool by_rows = HasCompressedRows(layout);
  const Tensor sorted = coalesce(by_rows ? self : transpose(self, 0, 1));
  const SparseState& s = *FindSparse(sorted);
  const Tensor outer = select(s.indices, 0, 0);
  return MakeCompressed(call, layout, self.sizes(), CompressedOf(outer, sorted.sizes()[0]),
                        contiguous(select(s.indices, 0, 1)), s.values, s.dense_dim);
}

Tensor CompressedToCoo(Call call, const Tensor& self) {
  const SparseState& s = *FindSparse(self);
  if (HasBlocks(s.layout) || HasBatches(s)) {
    const int64_t sparse_dim = self.dim() - s.dense_dim;
    return DenseToCoo(call, to_dense(self), sparse_dim);
  }
  const Tensor coo =
      MakeCoo(call, self.sizes(), stack(PositionLists(s)), s.values, HasCompressedRows(s.layout));
  return coalesce(coo);
}

Tensor ToCoo(Call call, const Tensor& self, std::optional<int64_t> sparse_dim) {
  const SparseState* s = FindSparse(self);
  if (s == nullptr) return DenseToCoo(call, self, sparse_dim.value_or(self.dim()));
  const int64_t has = s->layout == Layout::kSparse ? s->sparse_dim : self.dim() - s->dense_dim;
  if (sparse_dim.value_or(has) != has) {
    Bad(call, {"conversion from ", Name(s->layout), " to sparse_coo with sparse_dim ", *sparse_dim,
               " in place of ", has, " is not supported"});
  }
  return s->layout == Layout::kSparse ? self : CompressedToCoo(call, self);
}

Tensor ToCompressed(Call call, const Tensor& self, Layout layout, IntVector blocks,
                    std::optional<int64_t> dense_dim) {
  const SparseState* s = FindSparse(self);
  if (s != nullptr && dense_dim.value_or(s->dense_dim) != s->dense_dim) {
    Bad(call, {"conversion from ", Name(s->layout), " with dense_dim ", *dense_dim, " in place of ",
               s->dense_dim, " is not supported"});
  }
  const Target target{layout, std::move(blocks),
                      s != nullptr ? s->dense_dim : dense_dim.value_or(0)};
  if (s == nullptr) return DenseToCompressed(call, self, target);
  const bool plain = !HasBlocks(layout) && self.dim() == 2 + s->dense_dim && !HasBlocks(s->layout);
  if (s->layout == layout && !HasBlocks(layout)) return self;
  if (plain && s->layout == Layout::kSparse && s->sparse_dim == 2)
    return CooToCompressed(call, self, layout);
  if (plain && IsCompressed(s->layout))
    return CooToCompressed(call, CompressedToCoo(call, self), layout);
  return DenseToCompressed(call, to_dense(self), target);
}

Tensor ToSparse(Call call, const Tensor& self, Optional<Layout> layout,
                std::optional<IntSpan> blocksize, std::optional<int64_t> dense_dim) {
  const Layout l = layout.value_or(Layout::kSparse);
  if (HasBlocks(l) != blocksize.has_value()) {
    Bad(call, {blocksize ? "blocksize goes with sparse_bsr and sparse_bsc, not with "
                         : "expected a blocksize for ",
               Name(l)});
  }
  if (l == Layout::kStrided) Bad(call, {"layout must be sparse, got strided"});
  if (l == Layout::kSparse) {
    if (!dense_dim) return ToCoo(call, self, std::nullopt);
    return ToCoo(call, self, self.dim() - *dense_dim);
  }
  return ToCompressed(call, self, l, blocksize ? ListOf(*blocksize) : IntVector(), dense_dim);
}

Tensor ToSparseDim(Call call, const Tensor& self, int64_t sparse_dim) {
  return ToCoo(call, self, sparse_dim);
}
Tensor ToCsr(Call call, const Tensor& self, std::optional<int64_t> dense_dim) {
  return ToCompressed(call, self, Layout::kSparseCsr, {}, dense_dim);
}
Tensor ToCsc(Call call, const Tensor& self, std::optional<int64_t> dense_dim) {
  return ToCompressed(call, self, Layout::kSparseCsc, {}, dense_dim);
}
Tensor ToBsr(Call call, const Tensor& self, IntSpan blocksize, std::optional<int64_t> dense_dim) {
  return ToCompressed(call, self, Layout::kSparseBsr, ListOf(blocksize), dense_dim);
}
Tensor ToBsc(Call call, const Tensor& self, IntSpan blocksize, std::optional<int64_t> dense_dim) {
  return ToCompressed(call, self, Layout::kSparseBsc, ListOf(blocksize), dense_dim);
}

const Composite dim_body{"to_sparse.sparse_dim", ToSparseDim};
const LayoutBody dim_sparse{"to_sparse.sparse_dim", kAnySparse};
const Composite sparse_body{"to_sparse", ToSparse};
const LayoutBody sparse_sparse{"to_sparse", kAnySparse};
const Composite csr_body{"to_sparse_csr", ToCsr};
const LayoutBody csr_sparse{"to_sparse_csr", kAnySparse};
const Composite csc_body{"to_sparse_csc", ToCsc};
const LayoutBody csc_sparse{"to_sparse_csc", kAnySparse};
const Composite bsr_body{"to_sparse_bsr", ToBsr};
const LayoutBody bsr_sparse{"to_sparse_bsr", kAnySparse};
const Composite bsc_body{"to_sparse_bsc", ToBsc};
const LayoutBody bsc_sparse{"to_sparse_bsc", kAnySparse};

}  // namespace
}  // namespace sy
