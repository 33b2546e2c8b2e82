// self without its dimensions of size 1, or without those of `dim` that are of size 1; squeeze_copy
// copies it.
//   self: any sizes   →   the other sizes, the storage of self
// Errors: kOutOfRange for a dimension out of range, kInvalidArgument for one named twice.
// Example: sy::squeeze(x, 0)
// Source: ATen squeeze, squeeze_copy.
#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void Squeeze(Rule& r, const Meta& self, uint64_t mask) {
  int64_t *sizes = r.Ints(self.dim()), *strides = r.Ints(self.dim());
  size_t n = 0;
  for (int64_t i = 0; i < self.dim(); ++i) {
    if (self.sizes()[i] == 1 && (mask >> i & 1) != 0) continue;
    sizes[n] = self.sizes()[i];
    strides[n++] = self.strides()[i];
  }
  r.View({sizes, n}, {strides, n}, self.storage_offset());
}

void AllRule(Rule& r, const Meta& self) { Squeeze(r, self, ~uint64_t{0}); }

void DimRule(Rule& r, const Meta& self, int64_t dim) {
  Squeeze(r, self, uint64_t{1} << r.WrapDim(dim, self));
}

void DimsRule(Rule& r, const Meta& self, IntSpan dim) {
  uint64_t mask = 0;
  for (int64_t d : dim) {
    const uint64_t bit = uint64_t{1} << r.WrapDim(d, self);
    if ((mask & bit) != 0) r.Fail({"dim ", d, " appears more than once in ", dim});
    mask |= bit;
  }
  Squeeze(r, self, mask);
}

}  // namespace

const Operator squeeze_op{"squeeze(Tensor(a) self) -> Tensor(a)", View(AllRule), kInPlace};
const Operator squeeze_dim_op{"squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", View(DimRule),
                              kInPlace};
const Operator squeeze_dims_op{"squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)",
                               View(DimsRule), kInPlace};
const Operator squeeze_copy_op{"squeeze_copy(Tensor self) -> Tensor", CopyOf<AllRule>, kOut};
const Operator squeeze_copy_dim_op{"squeeze_copy.dim(Tensor self, int dim) -> Tensor",
                                   CopyOf<DimRule>, kOut};
const Operator squeeze_copy_dims_op{"squeeze_copy.dims(Tensor self, int[] dim) -> Tensor",
                                    CopyOf<DimsRule>, kOut};

}  // namespace sy
