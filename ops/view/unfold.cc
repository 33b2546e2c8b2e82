// Every window of `size` positions of a dimension, `step` apart, as a new last dimension;
// unfold_copy copies it.
//   self: any sizes; 0 <= size <= self's at dimension; step >= 1   →   self's sizes, with the
//   number of windows at dimension, then size; the storage of self
// Errors: kOutOfRange for a dimension out of range, kInvalidArgument for a size or step out of
// range.
// Example: sy::unfold(x, 0, 2, 1)
// Source: ATen unfold, unfold_copy.
#include <algorithm>

#include "switchyard/core/checked.h"
#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void UnfoldShape(ShapeContext& r, const TensorBase& self, int64_t dimension, int64_t size,
                 int64_t step) {
  const int64_t d = r.WrapDim(dimension, self);
  const size_t rank = self.sizes().size();
  const int64_t n = rank == 0 ? 1 : self.sizes()[d];
  if (size < 0 || size > n)
    r.Fail({"size must be 0 to ", n, ", self's size at dimension ", d, ", got ", size});
  if (step < 1) r.Fail({"step must be at least 1, got ", step});
  int64_t *sizes = r.Ints(self.dim() + 1), *strides = r.Ints(self.dim() + 1);
  std::copy(self.sizes().begin(), self.sizes().end(), sizes);
  std::copy(self.strides().begin(), self.strides().end(), strides);
  sizes[rank] = size;
  strides[rank] = rank == 0 ? 1 : strides[d];
  if (rank != 0) {
    sizes[d] = (n - size) / step + 1;
    // A stride that nothing takes may be any.
    strides[d] = sizes[d] == 1 ? strides[d] : ProductOr(strides[d], step, strides[d]);
  }
  r.View({sizes, rank + 1}, {strides, rank + 1}, self.storage_offset());
}

}  // namespace

const Operator unfold_op{"unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)",
                         View(UnfoldShape)};
const Operator unfold_copy_op{
    "unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor", CopyOf<UnfoldShape>,
    kOut};

}  // namespace sy
