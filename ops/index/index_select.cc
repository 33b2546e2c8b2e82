// The slices of self at the positions in `index` along `dim`, in that order.
//   self: [.., n, ..]; index: [k] or 0-d, int32 or int64, each 0 … n-1   →   [.., k, ..], dtype of
//   self
// Errors: kInvalidArgument when index has several dimensions or another dtype, or self is 0-d and
// index has several elements; kOutOfRange for dim, or an empty one; kIndexOutOfRange for a position
// out of range.
// Example: sy::index_select(x, 0, index)
// Source: ATen index_select.
#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void IndexSelectShape(ShapeContext& r, const TensorBase& self, int64_t& dim,
                      const TensorBase& index) {
  dim = r.WrapDim(dim, self);
  if (index.dim() > 1) r.Fail({"index must be 0-d or 1-d, got sizes ", index.sizes()});
  if (index.dtype() != DType::kInt64 && index.dtype() != DType::kInt32) {
    r.Fail({"index must be int32 or int64, got ", index.dtype()});
  }
  if (self.dim() == 0 && index.numel() != 1) {
    r.Fail({"a 0-d self needs an index of one element, got ", index.numel()});
  }
  if (self.dim() > 0 && self.sizes()[dim] == 0 && index.numel() > 0) {
    r.Fail(ErrorCode::kOutOfRange,
           {"dim ", dim, " of sizes ", self.sizes(), " is empty: there is nothing to select"});
  }
  int64_t* sizes = r.Ints(self.dim());
  std::copy(self.sizes().begin(), self.sizes().end(), sizes);
  if (self.dim() > 0) sizes[dim] = index.numel();
  r.Output(IntSpan(sizes, self.sizes().size()), self.dtype());
  r.SetOverlap(OverlapPolicy::kForbid);
}

}  // namespace

const Operator index_select_op{"index_select(Tensor self, int dim, Tensor index) -> Tensor",
                               IndexSelectShape, kOut};

}  // namespace sy
