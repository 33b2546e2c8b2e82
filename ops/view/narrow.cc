// `length` positions of a dimension from `start` on; narrow_copy copies them.
//   self: at least 1-d; start: -n … n for a dimension of n; start + length <= n   →   the storage
//   of self
// Errors: kOutOfRange for a dimension or start out of range; kInvalidArgument for 0-d tensors, a
// negative length, or one beyond the end.
// Example: sy::narrow(x, 1, 0, 2)
// Source: ATen narrow, narrow_copy.
#include <algorithm>

#include "switchyard/ops/view/copying.h"
#include "switchyard/ops/view/offset.h"

namespace sy {
namespace {

void NarrowShape(ShapeContext& r, const TensorBase& self, int64_t dim, int64_t start,
                 int64_t length) {
  if (self.dim() == 0) r.Fail({"a 0-d tensor has no dimension to narrow"});
  if (length < 0) r.Fail({"length must not be negative, got ", length});
  dim = r.WrapDim(dim, self);
  const size_t rank = self.sizes().size();
  const int64_t n = self.sizes()[dim];
  if (start < -n || start > n)
    r.Fail(ErrorCode::kOutOfRange, {"start must be ", -n, " to ", n, ", got ", start});
  if (start < 0) start += n;
  if (length > n - start) {
    r.Fail(
        {"start ", start, " and length ", length, " reach beyond dimension ", dim, " of size ", n});
  }
  int64_t* sizes = r.Ints(self.dim());
  std::copy_n(self.sizes().data(), rank, sizes);
  sizes[dim] = length;
  r.View({sizes, rank}, self.strides(), OffsetBy(r, self, start, self.strides()[dim]));
}

}  // namespace

const Operator narrow_op{
    "narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)", View(NarrowShape)};
const Operator narrow_tensor_op{
    "narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)",
    KeyRule::kFirst};
const Operator narrow_copy_op{
    "narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor", CopyOf<NarrowShape>,
    kOut};

}  // namespace sy
