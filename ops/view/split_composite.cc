// Pieces of a tensor: lists of views.

#include <algorithm>
#include <vector>

#include "ops/checks.h"
#include "ops/view/pieces_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

List Split(Call call, const Tensor& self, int64_t split_size, int64_t dim) {
  const int64_t n = SizeAt(call, self, dim);
  if (split_size < 0 || (split_size == 0 && n != 0)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"split_size must be at least ", n == 0 ? 0 : 1, " for a dimension of size ", n, ", got ",
          split_size});
  }
  List pieces;
  Reserve(call, pieces, n == 0 ? 1 : (n - 1) / split_size + 1);
  int64_t at = 0;
  do {  // an empty dimension makes one piece
    const int64_t size = std::min(split_size, n - at);
    pieces.push_back(narrow(self, dim, at, size));
    at += size;
  } while (at < n);
  return pieces;
}
const Composite split_body{"split.Tensor", Split};
const Composite unsafe_split_body{"unsafe_split.Tensor", Split};

List SplitWithSizes(Call call, const Tensor& self, IntSpan sizes, int64_t dim) {
  const int64_t n = SizeAt(call, self, dim);
  int64_t rest = n;
  bool fits = true;
  for (int64_t size : sizes) {
    fits &= size >= 0 && size <= rest;
    if (fits) rest -= size;
  }
  if (!fits || rest != 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"split_sizes ", sizes, " must not be negative and add up to ", n,
          ", the size of dimension ", dim});
  }
  List pieces;
  int64_t at = 0;
  for (int64_t size : sizes) {
    pieces.push_back(narrow(self, dim, at, size));
    at += size;
  }
  return pieces;
}
const Composite split_sizes_body{"split.sizes", SplitWithSizes};
const Composite split_with_sizes_body{"split_with_sizes", SplitWithSizes};
const Composite unsafe_split_with_sizes_body{"unsafe_split_with_sizes", SplitWithSizes};

List SplitCopy(Call call, const Tensor& self, int64_t split_size, int64_t dim) {
  return Copies(Split(call, self, split_size, dim));
}
List SplitWithSizesCopy(Call call, const Tensor& self, IntSpan sizes, int64_t dim) {
  return Copies(SplitWithSizes(call, self, sizes, dim));
}
const Composite split_copy_body{"split_copy.Tensor", SplitCopy};
const Composite split_with_sizes_copy_body{"split_with_sizes_copy", SplitWithSizesCopy};

void SplitCopyOut(Call call, const Tensor& self, int64_t split_size, int64_t dim, TensorList out) {
  const List pieces = Split(call, self, split_size, dim);
  RequireCount(call, pieces, out);
  for (size_t i = 0; i < pieces.size(); ++i) RequireBroadcast(call, pieces[i], out[i]);
  for (size_t i = 0; i < pieces.size(); ++i) copy_(out[i], pieces[i]);
}
void SplitWithSizesCopyOut(Call call, const Tensor& self, IntSpan sizes, int64_t dim,
                           TensorList out) {
  StorePieces(call, SplitWithSizes(call, self, sizes, dim), out);
}
const Composite split_copy_out_body{"split_copy.Tensor_out", SplitCopyOut};
const Composite split_with_sizes_copy_out_body{"split_with_sizes_copy.out", SplitWithSizesCopyOut};

List Chunk(Call call, const Tensor& self, int64_t chunks, int64_t dim) {
  const int64_t n = SizeAt(call, self, dim);
  if (chunks < 1)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"chunks must be at least 1, got ", chunks});
  if (n == 0) {
    List pieces;
    Reserve(call, pieces, chunks);
    pieces.assign(static_cast<size_t>(chunks), narrow(self, dim, 0, 0));
    return pieces;
  }
  return Split(call, self, n / chunks + (n % chunks != 0 ? 1 : 0), dim);
}
const Composite chunk_body{"chunk", Chunk};
const Composite unsafe_chunk_body{"unsafe_chunk", Chunk};

List TensorSplit(Call call, const Tensor& self, int64_t sections, int64_t dim) {
  const int64_t n = SizeAt(call, self, dim);
  if (sections < 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"sections must be at least 1, got ", sections});
  }
  List pieces;
  Reserve(call, pieces, sections);
  int64_t at = 0;
  for (int64_t i = 0; i < sections; ++i) {
    const int64_t size = n / sections + (i < n % sections ? 1 : 0);
    pieces.push_back(narrow(self, dim, at, size));
    at += size;
  }
  return pieces;
}
List TensorSplitAt(Call call, const Tensor& self, IntSpan indices, int64_t dim) {
  const int64_t n = SizeAt(call, self, dim);
  List pieces;
  int64_t at = 0;
  for (int64_t index : indices) {
    pieces.push_back(slice(self, dim, at, index));
    at = index;
  }
  pieces.push_back(slice(self, dim, at, n));
  return pieces;
}
const Composite tensor_split_body{"tensor_split.sections", TensorSplit};
const Composite tensor_split_indices_body{"tensor_split.indices", TensorSplitAt};

List TensorSplitTensor(Call call, const Tensor& self, const Tensor& at, int64_t dim) {
  if (!IsIntegral(at.dtype(), false) || at.dim() > 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"tensor_indices_or_sections must be a 0-d or 1-d integer tensor, got ", Describe(at)});
  }
  if (at.dim() == 0) return TensorSplit(call, self, item(at).To<int64_t>(), dim);
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < at.numel(); ++i) indices.push_back(item(select(at, 0, i)).To<int64_t>());
  return TensorSplitAt(call, self, indices, dim);
}
const Composite tensor_split_tensor_body{"tensor_split.tensor_indices_or_sections",
                                         TensorSplitTensor};

// The dimension that hsplit, vsplit and dsplit cut: a tensor of fewer dimensions has none.
template <int kLeastRank>
int64_t DimToCut(Call call, const Tensor& self) {
  if (self.dim() < kLeastRank) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected at least ", kLeastRank, " dimensions, got sizes ", self.sizes()});
  }
  if (kLeastRank == 1) return self.dim() == 1 ? 0 : 1;
  return kLeastRank == 2 ? 0 : 2;
}
template <int kLeastRank>
List EqualPieces(Call call, const Tensor& self, int64_t sections) {
  const int64_t dim = DimToCut<kLeastRank>(call, self);
  const int64_t n = self.size(dim);
  if (sections < 1 || n % sections != 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"sections must divide ", n, ", the size of dimension ", dim, "; got ", sections});
  }
  return TensorSplit(call, self, sections, dim);
}
template <int kLeastRank>
List PiecesAt(Call call, const Tensor& self, IntSpan indices) {
  return TensorSplitAt(call, self, indices, DimToCut<kLeastRank>(call, self));
}
const Composite hsplit_body{"hsplit.int", EqualPieces<1>};
const Composite hsplit_array_body{"hsplit.array", PiecesAt<1>};
const Composite vsplit_body{"vsplit.int", EqualPieces<2>};
const Composite vsplit_array_body{"vsplit.array", PiecesAt<2>};
const Composite dsplit_body{"dsplit.int", EqualPieces<3>};
const Composite dsplit_array_body{"dsplit.array", PiecesAt<3>};

}  // namespace
}  // namespace sy
