// Picks elements of self along `dim`: out[i][j] = self[index[i][j]][j] for dim 0.
//   self: any sizes; index: int64 (or int32), as many dimensions, no size above self's except at
//   dim, each 0 … n-1   → sizes of index, dtype of self
// Errors: kInvalidArgument when ranks or sizes do not fit or index has another dtype; kOutOfRange
// for dim; kIndexOutOfRange for a position out of range.
// Example: sy::gather(x, 1, index)
// Source: ATen gather.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void GatherShape(ShapeContext& r, const TensorBase& self, int64_t& dim, const TensorBase& index,
                 bool /*sparse_grad*/) {
  dim = r.WrapDim(dim, self);
  r.Output(index.sizes(), self.dtype());
  r.SetOverlap(OverlapPolicy::kForbid);
  if (index.numel() == 0) return;
  RequireIndexDType(r, index);
  RequireIndexFits(r, self, index, "self", dim);
}

}  // namespace

const Operator gather_op{
    "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor", GatherShape,
    kOut};

}  // namespace sy
