// flatten makes one dimension of those from start_dim to end_dim, a view where strides can express
// it, else a copy; unflatten makes several of one, always a view.
//   self: any sizes; sizes: their product is self's size at dim, one may be -1 and is inferred
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument when start_dim comes after
// end_dim, or sizes do not multiply up to the dimension's.
// Example: sy::flatten(x, 0, -1)
// Source: ATen flatten, unflatten.
#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void UnflattenShape(ShapeContext& r, const TensorBase& self, int64_t dim, IntSpan sizes) {
  dim = r.WrapDim(dim, self);
  if (self.dim() == 0) r.Fail({"a 0-d tensor has no dimension to unflatten"});
  if (sizes.empty()) r.Fail({"sizes must not be empty"});
  const size_t rank = self.sizes().size() - 1 + sizes.size();
  int64_t* all = r.Ints(static_cast<int64_t>(rank));
  int64_t* strides = r.Ints(static_cast<int64_t>(rank));
  const IntSpan have = self.sizes();
  std::copy_n(have.begin(), dim, all);
  InferSize(sizes, have[dim], all + dim, r.op());
  std::copy(have.begin() + dim + 1, have.end(), all + dim + sizes.size());
  if (!ViewStrides(have, self.strides(), self.numel(), {all, rank}, strides)) {
    r.Fail({"sizes ", have, " with strides ", self.strides(), " cannot be seen as ",
            IntSpan(all, rank), " without a copy"});
  }
  r.View({all, rank}, {strides, rank}, self.storage_offset());
}

}  // namespace

const Operator flatten_op{
    "flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
    KeyRule::kFirst};
const Operator unflatten_op{"unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)",
                            View(UnflattenShape)};

}  // namespace sy
