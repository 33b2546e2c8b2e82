// Adds slices of `source`, times `alpha`, to self at the positions in `index` along `dim`, in the
// order of the index.
//   self: [.., n, ..]; index: [k] or 0-d (k = 1), int64 or int32, each 0 … n-1; source: [.., k,
//   ..], other sizes and dtype as self's   →   like self
// self and source may both be 0-d: then n = 1, and k = 1.
// Errors: kInvalidArgument when shapes or dtypes do not fit, alpha is complex and self is not, or
// self overlaps index or source; kOutOfRange for dim; kIndexOutOfRange for a position out of range.
// All positions are tested before anything is written.
// Example: sy::index_add_(x, 0, index, t)
// Source: ATen index_add.
#include "switchyard/ops/index/source_slices.h"
#include "switchyard/ops/number.h"

namespace sy {
namespace {

void IndexAddShape(ShapeContext& r, const TensorBase& self, int64_t& dim, const TensorBase& index,
                   const TensorBase& source, const Scalar& alpha) {
  SourceSlicesShape(r, self, dim, index, source);
  // Fractions become whole numbers where self's are.
  RequireFits(r, alpha, self.dtype(), "alpha");
  // As in ATen, positions in nothing are out of range in vectors, and not looked at elsewhere.
  if (self.numel() == 0 && (self.dim() != 1 || index.numel() == 0)) r.ComputeNothing();
}

}  // namespace

const Operator index_add_op{
    "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
    IndexAddShape, kInPlace | kOut};

}  // namespace sy
