// self with two dimensions swapped; t swaps the two of a matrix.
//   self: any sizes (t: at most 2-d)   →   the storage of self
// Errors: kOutOfRange for a dimension out of range, kInvalidArgument for t of more than 2
// dimensions.
// Example: sy::transpose(x, 0, 1)
// Source: ATen transpose, t.
#include <algorithm>
#include <utility>

#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void TransposeRule(Rule& r, const Meta& self, int64_t dim0, int64_t dim1) {
  dim0 = r.WrapDim(dim0, self);
  dim1 = r.WrapDim(dim1, self);
  const size_t rank = self.sizes().size();
  int64_t* sizes = r.Ints(2 * self.dim());
  int64_t* strides = sizes + rank;
  std::copy_n(self.sizes().data(), 2 * rank, sizes);  // strides follow sizes
  if (rank > 0) {
    std::swap(sizes[dim0], sizes[dim1]);
    std::swap(strides[dim0], strides[dim1]);
  }
  r.View({sizes, rank}, {strides, rank}, self.storage_offset());
}

void TRule(Rule& r, const Meta& self) {
  if (self.dim() > 2) r.Fail({"expected at most 2 dimensions, got sizes ", self.sizes()});
  TransposeRule(r, self, 0, self.dim() < 2 ? 0 : 1);
}

}  // namespace

const Operator transpose_op{"transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
                            View(TransposeRule), InPlace("")};
const Operator t_op{"t(Tensor(a) self) -> Tensor(a)", View(TRule), kInPlace};

}  // namespace sy
