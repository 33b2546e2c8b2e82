// What bodies of sparse operators share: tensors made of their parts, positions as numbers.
#ifndef SWITCHYARD_OPS_SPARSE_HELD_COMPOSITE_H_
#define SWITCHYARD_OPS_SPARSE_HELD_COMPOSITE_H_

#include <memory>
#include <utility>
#include <vector>

#include "ops/checks.h"
#include "switchyard/core/checked.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/sparse.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops.h"

namespace sy {

using IntVector = std::vector<int64_t>;

inline IntVector ListOf(IntSpan s) { return {s.begin(), s.end()}; }
// Of a first list with a second behind it.
inline IntVector Joined(IntVector a, IntSpan b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Whether gradients of what tensors like it are made of are recorded: its history is a sparse
// tensor's values'. Set of tensors that require none, too, where something was recorded of them.
inline bool IsRecorded(const Tensor& t) {
  return (t.key() & kGradBit) != 0 && (thread_state.layers_excluded >> kGradLayer & 1) == 0;
}
// Values as a sparse tensor holds them: with their history where one is recorded, but not as the
// leaf that they may be; views of conjugates and negatives written out, as loops read them.
inline Tensor Held(const Tensor& values) {
  if (values.is_conj() || values.is_neg()) return Held(resolve_neg(resolve_conj(values)));
  if ((values.key() & kGradBit) == 0) return values;
  return IsRecorded(values) ? alias(values) : detach(values);
}

// Coalesced as it is said.
inline Tensor MakeCooAsSaid(Call, IntSpan sizes, const Tensor& indices, const Tensor& values,
                            bool coalesced) {
  return MakeSparse(
      sizes, std::make_unique<SparseState>(Layout::kSparse, indices.sizes()[0], values.dim() - 1,
                                           indices, Tensor(), Held(values), coalesced));
}
// A position alone is in order, whatever is said.
inline Tensor MakeCoo(Call call, IntSpan sizes, const Tensor& indices, const Tensor& values,
                      bool coalesced) {
  return MakeCooAsSaid(call, sizes, indices, values, coalesced || values.sizes()[0] < 2);
}
inline Tensor MakeCompressed(Call, Layout layout, IntSpan sizes, const Tensor& compressed,
                             const Tensor& plain, const Tensor& values, int64_t dense_dim) {
  return MakeSparse(
      sizes, std::make_unique<SparseState>(layout, 2, dense_dim, compressed, plain, Held(values)));
}
// The same positions with other values, one for each.
inline Tensor WithValues(Call, const Tensor& t, const Tensor& values) {
  const SparseState& s = *FindSparse(t);
  return MakeSparse(t.sizes(),
                    std::make_unique<SparseState>(s.layout, s.sparse_dim, s.dense_dim, s.indices,
                                                  s.plain_indices, Held(values), s.coalesced));
}

// The state of a COO tensor. Errors: kInvalidArgument for another layout.
inline const SparseState& RequireCoo(Call call, const Tensor& t) {
  const SparseState* s = FindSparse(t);
  if (s == nullptr || s->layout != Layout::kSparse) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected a sparse_coo tensor, got ", Describe(t)});
  }
  return *s;
}

inline IntVector SparseSizes(const Tensor& t, const SparseState& s) {
  return {t.sizes().begin(), t.sizes().begin() + s.sparse_dim};
}
inline IntVector DenseSizes(const Tensor& t, const SparseState& s) {
  return {t.sizes().end() - s.dense_dim, t.sizes().end()};
}
inline Options Like(const Tensor& t, DType dtype) { return {.dtype = dtype, .device = t.device()}; }
inline Tensor NoIndices(const Tensor& like, int64_t rows) {
  return empty({rows, 0}, Like(like, DType::kInt64));
}
// A COO tensor that holds nothing. dense: sizes; like: dtype and device.
inline Tensor EmptyCoo(Call call, const Tensor& like, DType dtype, IntSpan sizes,
                       int64_t sparse_dim) {
  const IntVector held = Joined({0}, sizes.subspan(static_cast<size_t>(sparse_dim)));
  return MakeCoo(call, sizes, NoIndices(like, sparse_dim), empty(held, Like(like, dtype)), true);
}

// Positions [rows, nnz] within sizes as one number each, [nnz].
inline Tensor FlatPositions(Call call, const Tensor& positions, IntSpan sizes) {
  CheckedProduct(call, "the product of the sparse sizes", sizes);
  Tensor flat = zeros({positions.sizes()[1]}, Like(positions, DType::kInt64));
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    flat = add(flat, select(positions, 0, static_cast<int64_t>(d)), stride);
    stride *= sizes[d];
  }
  return flat;
}
// And back.
inline Tensor UnflatPositions(const Tensor& flat, IntSpan sizes) {
  if (sizes.empty()) return empty({0, flat.sizes()[0]}, Like(flat, DType::kInt64));
  std::vector<Tensor> rows(sizes.size());
  Tensor left = flat;
  for (size_t d = sizes.size(); d-- > 0;) {
    const int64_t n = sizes[d] == 0 ? 1 : sizes[d];
    rows[d] = remainder(left, n);
    left = floor_divide(left, n);
  }
  return stack(rows);
}

// Of a compressed tensor without batches: the compressed index of each element, [nnz]. With batches
// [batch.., nnz].
inline Tensor ExpandedIndices(const SparseState& s) {
  const int64_t n = s.indices.sizes()[static_cast<size_t>(s.indices.dim() - 1)];
  const Tensor ends = contiguous(to(slice(s.indices, -1, 1, n), DType::kInt64));
  const Tensor at = arange(s.nnz(), Like(s.indices, DType::kInt64));
  return searchsorted(ends, contiguous(expand(at, s.plain_indices.sizes())), false, true);
}

inline bool HasBatches(const SparseState& s) { return s.indices.dim() != 1; }

// Where elements of a tensor without blocks and batches are: a list of [nnz] for each sparse
// dimension.
inline std::vector<Tensor> PositionLists(const SparseState& s) {
  if (s.layout == Layout::kSparse) {
    std::vector<Tensor> rows;
    rows.reserve(static_cast<size_t>(s.sparse_dim));
    for (int64_t d = 0; d < s.sparse_dim; ++d) rows.push_back(select(s.indices, 0, d));
    return rows;
  }
  const Tensor outer = ExpandedIndices(s), inner = to(s.plain_indices, DType::kInt64);
  if (HasCompressedRows(s.layout)) return {outer, inner};
  return {inner, outer};
}

// The first `rows` numbers of each compressed row's begin, of sorted ones: [rows + 1].
inline Tensor CompressedOf(const Tensor& sorted, int64_t rows) {
  const Tensor at = arange(rows + 1, Like(sorted, DType::kInt64));
  return searchsorted(contiguous(sorted), at);
}

inline bool AnyOf(const Tensor& condition) { return any(condition).item<bool>(); }

}  // namespace sy

#endif  // SWITCHYARD_OPS_SPARSE_HELD_COMPOSITE_H_
