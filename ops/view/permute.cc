// self with its dimensions in the order `dims`; permute_copy copies it. numpy_T reverses them.
//   self: any sizes; dims: each dimension once   →   the storage of self
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument when dims are not as many as
// self has, or one is named twice.
// Example: sy::permute(x, {2, 0, 1})
// Source: ATen permute, permute_copy, numpy_T.
#include <algorithm>

#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void PermuteShape(ShapeContext& r, const TensorBase& self, IntSpan dims) {
  const size_t rank = self.sizes().size();
  if (dims.size() != rank)
    r.Fail({"dims ", dims, " must name each of the ", rank, " dimensions of sizes ", self.sizes()});
  int64_t *sizes = r.Ints(self.dim()), *strides = r.Ints(self.dim());
  uint64_t seen = 0;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t d = r.WrapDim(dims[i], self);
    if ((seen >> d & 1) != 0) r.Fail({"dim ", d, " appears more than once in ", dims});
    seen |= uint64_t{1} << d;
    sizes[i] = self.sizes()[d];
    strides[i] = self.strides()[d];
  }
  r.View({sizes, rank}, {strides, rank}, self.storage_offset());
}

void ReversedShape(ShapeContext& r, const TensorBase& self) {
  const size_t rank = self.sizes().size();
  int64_t *sizes = r.Ints(self.dim()), *strides = r.Ints(self.dim());
  std::reverse_copy(self.sizes().begin(), self.sizes().end(), sizes);
  std::reverse_copy(self.strides().begin(), self.strides().end(), strides);
  r.View({sizes, rank}, {strides, rank}, self.storage_offset());
}

}  // namespace

const Operator permute_op{"permute(Tensor(a) self, int[] dims) -> Tensor(a)", View(PermuteShape)};
const Operator permute_copy_op{"permute_copy(Tensor self, int[] dims) -> Tensor",
                               CopyOf<PermuteShape>, kOut};
const Operator numpy_t_op{"numpy_T(Tensor(a) self) -> Tensor(a)", View(ReversedShape)};

}  // namespace sy
