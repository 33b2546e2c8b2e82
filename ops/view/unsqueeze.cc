// self with a new dimension of size 1 at `dim`; unsqueeze_copy copies it.
//   self: any sizes; dim: -dim()-1 … dim()   →   one dimension more, the storage of self
// Errors: kOutOfRange for a dimension out of range.
// Example: sy::unsqueeze(x, -1)
// Source: ATen unsqueeze, unsqueeze_copy.
#include "switchyard/core/checked.h"
#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void UnsqueezeShape(ShapeContext& r, const TensorBase& self, int64_t dim) {
  const int64_t rank = self.dim() + 1;
  dim = r.WrapDim(dim, rank);
  int64_t *sizes = r.Ints(rank), *strides = r.Ints(rank);
  for (int64_t i = 0, j = 0; i < rank; ++i) {
    if (i == dim) {
      sizes[i] = 1;
      strides[i] = dim < self.dim() ? ProductOr(self.sizes()[dim], self.strides()[dim], 1) : 1;
    } else {
      sizes[i] = self.sizes()[j];
      strides[i] = self.strides()[j++];
    }
  }
  r.View({sizes, static_cast<size_t>(rank)}, {strides, static_cast<size_t>(rank)},
         self.storage_offset());
}

}  // namespace

const Operator unsqueeze_op{"unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", View(UnsqueezeShape),
                            kInPlace};
const Operator unsqueeze_copy_op{"unsqueeze_copy(Tensor self, int dim) -> Tensor",
                                 CopyOf<UnsqueezeShape>, kOut};

}  // namespace sy
