// to_dense: zeros, to which values are added where they are held.
#include <optional>

#include "ops/sparse/held_composite.h"

namespace sy {
namespace {

// [n, held..] with values added at rows `flat`; of bool whether any is true.
Tensor Scattered(const Tensor& values, const Tensor& flat, int64_t n) {
  const IntVector sizes = Joined({n}, values.sizes().subspan(1));
  const bool truth = values.dtype() == DType::kBool;
  const Tensor out = new_zeros(values, sizes, {.dtype = truth ? DType::kInt64 : values.dtype()});
  index_add_(out, 0, flat, truth ? to(values, DType::kInt64) : values);
  return truth ? ne(out, 0) : out;
}

Tensor CooToDense(Call call, const Tensor& self, const SparseState& s) {
  const IntVector sizes = SparseSizes(self, s);
  const Tensor flat = FlatPositions(call, s.indices, sizes);
  return view(Scattered(s.values, flat, NumElements(sizes)), self.sizes());
}

// Batches, rows and columns of elements or of blocks, then what each holds.
Tensor CompressedToDense(Call call, const Tensor& self, const SparseState& s) {
  const auto batch = static_cast<size_t>(s.indices.dim() - 1);
  const bool blocks = HasBlocks(s.layout);
  const int64_t b = NumElements(self.sizes().first(batch)), nnz = s.nnz();
  const int64_t r = blocks ? s.values.sizes()[batch + 1] : 1,
                c = blocks ? s.values.sizes()[batch + 2] : 1;
  const int64_t rows = self.sizes()[batch] / r, columns = self.sizes()[batch + 1] / c;
  const Tensor outer = reshape(ExpandedIndices(s), {b, nnz}),
               inner = reshape(to(s.plain_indices, DType::kInt64), {b, nnz});
  const bool by_rows = HasCompressedRows(s.layout);
  const Tensor &row = by_rows ? outer : inner, &column = by_rows ? inner : outer;
  const int64_t matrix = CheckedProduct(call, "rows * columns", rows, columns);
  const Tensor start = unsqueeze(mul(arange(b, Like(row, DType::kInt64)), matrix), 1);
  const Tensor flat = reshape(add(start, add(column, row, columns)), {b * nnz});
  const IntSpan held = s.values.sizes().subspan(batch + 1);
  const Tensor values = reshape(s.values, Joined({b * nnz}, held));
  Tensor out = Scattered(values, flat, CheckedProduct(call, "the matrices", b, matrix));
  if (blocks) {
    // [b, rows, columns, r, c, dense] with rows beside r.
    const IntVector dense = DenseSizes(self, s);
    out = view(out, Joined({b, rows, columns, r, c}, dense));
    out = contiguous(transpose(out, 2, 3));
  }
  return view(out, self.sizes());
}

Tensor ToDense(Call call, const Tensor& self, Optional<DType> dtype, Optional<bool>) {
  const SparseState* s = FindSparse(self);
  Tensor out = s == nullptr                   ? self
               : s->layout == Layout::kSparse ? CooToDense(call, self, *s)
                                              : CompressedToDense(call, self, *s);
  return dtype ? to(out, *dtype) : out;
}

const Composite body{"to_dense", ToDense};
const LayoutBody sparse{"to_dense", kAnySparse};

}  // namespace
}  // namespace sy
