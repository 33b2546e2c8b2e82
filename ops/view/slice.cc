// Every `step`-th position of a dimension from start (0) to, not including, end (its size).
// slice_copy copies them; slice_scatter copies self and writes src there.
//   self: at least 1-d; start, end: negative ones count from the end, those out of range are moved
//   into it; step >= 1   → the storage of self
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument for 0-d tensors or a step
// below 1.
// Example: sy::slice(x, 0, 1, 5, 2)
// Source: ATen slice, slice_copy, slice_scatter.
#include <algorithm>

#include "switchyard/core/checked.h"
#include "switchyard/ops/view/copying.h"
#include "switchyard/ops/view/offset.h"

namespace sy {
namespace {

void SliceShape(ShapeContext& r, const TensorBase& self, int64_t dim, std::optional<int64_t> start,
                std::optional<int64_t> end, int64_t step) {
  if (self.dim() == 0) r.Fail({"a 0-d tensor has no dimension to slice"});
  dim = r.WrapDim(dim, self);
  if (step < 1) r.Fail({"step must be at least 1, got ", step});
  const size_t rank = self.sizes().size();
  const int64_t n = self.sizes()[dim];
  const auto into = [n](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + n : i, 0, n); };
  const int64_t from = into(start.value_or(0)), to = std::max(from, into(end.value_or(n)));
  int64_t* sizes = r.Ints(2 * self.dim());
  int64_t* strides = sizes + rank;
  std::copy_n(self.sizes().data(), 2 * rank, sizes);  // strides follow sizes
  sizes[dim] = to - from == 0 ? 0 : (to - from - 1) / step + 1;
  strides[dim] = ProductOr(strides[dim], step, strides[dim]);  // too long a step is never taken
  r.View({sizes, rank}, {strides, rank}, OffsetBy(r, self, from, self.strides()[dim]));
}

}  // namespace

const Operator slice_op{
    "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) "
    "-> Tensor(a)",
    View(SliceShape)};
const Operator slice_copy_op{
    "slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt "
    "step=1) -> Tensor",
    CopyOf<SliceShape>, kOut};
const Operator slice_scatter_op{
    "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
    "SymInt step=1) -> Tensor",
    ScatterOf<SliceShape>, kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
