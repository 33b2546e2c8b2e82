// Blocks and batches as COO: what a compressed tensor holds, an element or a block at each position
// of [batch.., rows, columns], with the block's sizes as dense ones. Sums and products of such
// tensors are those of COO tensors, and go back.
//
//   GridFrom(call, AddCoo(call, GridOf(call, a), GridOf(call, b), 1), a)
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument where matrices of a batch would hold different numbers of elements.
#ifndef SWITCHYARD_OPS_SPARSE_GRID_COMPOSITE_H_
#define SWITCHYARD_OPS_SPARSE_GRID_COMPOSITE_H_

#include <utility>
#include <vector>

#include "ops/sparse/held_composite.h"

namespace sy {

inline size_t NumBatchDims(const SparseState& s) {
  return static_cast<size_t>(s.indices.dim() - 1);
}
// Rows and columns of blocks; none of other layouts.
inline IntVector BlockSizes(const SparseState& s) {
  if (!HasBlocks(s.layout)) return {};
  const IntSpan held = s.values.sizes().subspan(NumBatchDims(s) + 1);
  return {held[0], held[1]};
}
// [batch.., rows, columns], counted in blocks.
inline IntVector GridSizes(const Tensor& t, const SparseState& s) {
  IntVector sizes = ListOf(t.sizes().first(NumBatchDims(s) + 2));
  const IntVector blocks = BlockSizes(s);
  for (size_t i = 0; i < blocks.size(); ++i) sizes[sizes.size() - 2 + i] /= blocks[i];
  return sizes;
}
// Sizes of what a position holds: a block's, then dense ones.
inline IntSpan HeldSizes(const SparseState& s) {
  return s.values.sizes().subspan(NumBatchDims(s) + 1);
}

// Where in the grid each element is, in the order in which they are held: a list a dimension.
inline std::vector<Tensor> GridPositions(const Tensor& t, const SparseState& s) {
  const size_t batch = NumBatchDims(s);
  const IntSpan held = s.plain_indices.sizes();  // [batch.., nnz]
  std::vector<Tensor> lists;
  lists.reserve(batch + 2);
  for (size_t d = 0; d < batch; ++d) {
    IntVector along(held.size(), 1);
    along[d] = held[d];
    const Tensor at = view(arange(held[d], Like(t, DType::kInt64)), along);
    lists.push_back(reshape(expand(at, held), {-1}));
  }
  const Tensor outer = reshape(ExpandedIndices(s), {-1}),
               inner = reshape(to(s.plain_indices, DType::kInt64), {-1});
  const bool by_rows = HasCompressedRows(s.layout);
  lists.push_back(by_rows ? outer : inner);
  lists.push_back(by_rows ? inner : outer);
  return lists;
}

inline Tensor GridOf(Call call, const Tensor& t) {
  const SparseState& s = *FindSparse(t);
  const IntSpan held = HeldSizes(s);
  const int64_t n = s.plain_indices.numel();
  return coalesce(MakeCoo(call, Joined(GridSizes(t, s), held), stack(GridPositions(t, s)),
                          reshape(s.values, Joined({n}, held)), false));
}

// Back: a compressed tensor of like's sizes, layout and blocks.
inline Tensor GridFrom(Call call, const Tensor& grid, const Tensor& like) {
  const SparseState& l = *FindSparse(like);
  const auto batch = static_cast<int64_t>(NumBatchDims(l));
  const bool by_rows = HasCompressedRows(l.layout);
  const Tensor sorted = coalesce(by_rows ? grid : transpose(grid, batch, batch + 1));
  const SparseState& s = *FindSparse(sorted);
  const IntVector batches = ListOf(like.sizes().first(static_cast<size_t>(batch)));
  const int64_t b = NumElements(batches), n = s.nnz(), nnz = b == 0 ? 0 : n / b;
  const int64_t outer = sorted.sizes()[static_cast<size_t>(batch)];
  const Tensor rows =
      FlatPositions(call, slice(s.indices, 0, 0, batch + 1), Joined(batches, IntVector{outer}));
  const Tensor begins = CompressedOf(rows, b * outer);
  const Tensor which = arange(b, Like(like, DType::kInt64)), first = mul(which, nnz);
  const auto even = [&] {
    return n == b * nnz && !AnyOf(ne(index_select(begins, 0, mul(which, outer)), first));
  };
  if (HasData(begins) && !even()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"matrices of the result's batch would hold different numbers of elements, ", n,
          " in all ", b});
  }
  const Tensor at =
      add(mul(unsqueeze(which, 1), outer), arange(outer + 1, Like(like, DType::kInt64)));
  const Tensor compressed =
      sub(reshape(index_select(begins, 0, reshape(at, {-1})), {b, outer + 1}), unsqueeze(first, 1));
  const IntVector each = Joined(batches, IntVector{nnz});
  const IntSpan held = s.values.sizes().subspan(1);
  return MakeCompressed(
      call, l.layout, like.sizes(),
      to(view(compressed, Joined(batches, IntVector{outer + 1})), l.indices.dtype()),
      to(view(contiguous(select(s.indices, 0, batch + 1)), each), l.plain_indices.dtype()),
      reshape(s.values, Joined(each, held)), l.dense_dim);
}

// t in like's layout and blocks.
inline Tensor InGridOf(const Tensor& t, const Tensor& like) {
  const SparseState &l = *FindSparse(like), &s = *FindSparse(t);
  const IntVector blocks = BlockSizes(l);
  if (s.layout == l.layout && BlockSizes(s) == blocks) return t;
  if (blocks.empty()) return to_sparse(t, l.layout, std::nullopt, std::nullopt);
  return to_sparse(t, l.layout, IntSpan(blocks), std::nullopt);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_SPARSE_GRID_COMPOSITE_H_
