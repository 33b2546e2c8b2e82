// self without its dimensions of size 1, or without those of `dim` that are of size 1; squeeze_copy
// copies it.
//   self: any sizes   →   the other sizes, the storage of self
// Errors: kOutOfRange for a dimension out of range, kInvalidArgument for one named twice.
// Example: sy::squeeze(x, 0)
// Source: ATen squeeze, squeeze_copy.
#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void Squeeze(ShapeContext& r, const TensorBase& self, uint64_t mask) {
  int64_t *sizes = r.Ints(self.dim()), *strides = r.Ints(self.dim());
  size_t n = 0;
  for (int64_t i = 0; i < self.dim(); ++i) {
    if (self.sizes()[i] == 1 && (mask >> i & 1) != 0) continue;
    sizes[n] = self.sizes()[i];
    strides[n++] = self.strides()[i];
  }
  r.View({sizes, n}, {strides, n}, self.storage_offset());
}

void AllShape(ShapeContext& r, const TensorBase& self) { Squeeze(r, self, ~uint64_t{0}); }

void DimShape(ShapeContext& r, const TensorBase& self, int64_t dim) {
  Squeeze(r, self, uint64_t{1} << r.WrapDim(dim, self));
}

void DimsShape(ShapeContext& r, const TensorBase& self, IntSpan dim) {
  uint64_t mask = 0;
  for (int64_t d : dim) {
    const uint64_t bit = uint64_t{1} << r.WrapDim(d, self);
    if ((mask & bit) != 0) r.Fail({"dim ", d, " appears more than once in ", dim});
    mask |= bit;
  }
  Squeeze(r, self, mask);
}

}  // namespace

const Operator squeeze_op{"squeeze(Tensor(a) self) -> Tensor(a)", View(AllShape), kInPlace};
const Operator squeeze_dim_op{"squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", View(DimShape),
                              kInPlace};
const Operator squeeze_dims_op{"squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)",
                               View(DimsShape), kInPlace};
const Operator squeeze_copy_op{"squeeze_copy(Tensor self) -> Tensor", CopyOf<AllShape>, kOut};
const Operator squeeze_copy_dim_op{"squeeze_copy.dim(Tensor self, int dim) -> Tensor",
                                   CopyOf<DimShape>, kOut};
const Operator squeeze_copy_dims_op{"squeeze_copy.dims(Tensor self, int[] dim) -> Tensor",
                                    CopyOf<DimsShape>, kOut};

}  // namespace sy
