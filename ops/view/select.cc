// self at one position of a dimension, which goes. select_copy copies that; select_scatter copies
// self and writes src there.
//   self: at least 1-d; index: -n … n-1 for a dimension of n   →   one dimension less, the storage
//   of self
// Errors: kOutOfRange for a dimension or a position out of range, kInvalidArgument for 0-d tensors.
// Example: sy::select(x, 0, -1)
// Source: ATen select, select_copy, select_scatter.
#include <algorithm>

#include "switchyard/ops/view/copying.h"
#include "switchyard/ops/view/offset.h"

namespace sy {
namespace {

void SelectShape(ShapeContext& r, const TensorBase& self, int64_t dim, int64_t index) {
  if (self.dim() == 0)
    r.Fail(ErrorCode::kOutOfRange, {"a 0-d tensor has no dimension to select from"});
  dim = r.WrapDim(dim, self);
  const int64_t n = self.sizes()[dim];
  const int64_t at = index < 0 ? index + n : index;
  if (at < 0 || at >= n) {
    r.Fail(ErrorCode::kOutOfRange,
           {"index ", index, " is out of range for dimension ", dim, " of size ", n});
  }
  const size_t rank = self.sizes().size() - 1;
  int64_t *sizes = r.Ints(self.dim()), *strides = r.Ints(self.dim());
  for (size_t i = 0, j = 0; j < rank + 1; ++j) {
    if (static_cast<int64_t>(j) == dim) continue;
    sizes[i] = self.sizes()[j];
    strides[i++] = self.strides()[j];
  }
  r.View({sizes, rank}, {strides, rank}, OffsetOf(r, self, at, self.strides()[dim]));
}

}  // namespace

const Operator select_op{"select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
                         View(SelectShape)};
const Operator select_copy_op{"select_copy.int(Tensor self, int dim, SymInt index) -> Tensor",
                              CopyOf<SelectShape>, kOut};
const Operator select_scatter_op{
    "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
    ScatterOf<SelectShape>, kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
