// The storage of self seen with any sizes, strides and offset. as_strided_copy copies
// that; as_strided_scatter copies self and writes src there. slice_inverse takes sizes, strides and
// offset of src, a tensor of which self is a slice (which dim, start, end and step do not tell).
//   size, stride: as many, >= 0 each; storage_offset: in elements, that of self if not given   →
//   the storage of self
// Errors: kInvalidArgument when lengths differ, something is negative, or elements would lie
// outside the storage.
// Example: sy::as_strided(x, {2, 2}, {1, 2})
// Source: ATen as_strided, as_strided_copy, as_strided_scatter, slice_inverse, _reshape_alias_copy.
#include "switchyard/core/checked.h"
#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void AsStridedShape(ShapeContext& r, const TensorBase& self, IntSpan size, IntSpan stride,
                    std::optional<int64_t> storage_offset) {
  if (size.size() != stride.size())
    r.Fail({"size ", size, " and stride ", stride, " differ in length"});
  const int64_t offset = storage_offset.value_or(self.storage_offset());
  const int64_t extent = StorageExtent(size, stride);
  const int64_t have = static_cast<int64_t>(self.impl()->storage->nbytes / self.itemsize());
  const bool far = extent == 0 ? offset > kMostOffset : offset > have || extent > have - offset;
  if (offset < 0 || far) {
    r.Fail({"size ", size, ", stride ", stride, " and storage offset ", offset,
            " reach beyond the storage, which has ", have, " elements"});
  }
  r.View(size, stride, offset);
}

void SliceInverseShape(ShapeContext& r, const TensorBase& self, const TensorBase& src,
                       int64_t /*dim*/, std::optional<int64_t> /*start*/,
                       std::optional<int64_t> /*end*/, int64_t /*step*/) {
  AsStridedShape(r, self, src.sizes(), src.strides(), src.storage_offset());
}
void ReshapeAliasShape(ShapeContext& r, const TensorBase& self, IntSpan size, IntSpan stride) {
  AsStridedShape(r, self, size, stride, std::nullopt);
}

}  // namespace

const Operator slice_inverse_op{
    "slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
    "SymInt step=1) -> Tensor(a)",
    View(SliceInverseShape)};
const Operator reshape_alias_copy_op{
    "_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor",
    CopyOf<ReshapeAliasShape>, kOut};
const Operator as_strided_op{
    "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> "
    "Tensor(a)",
    View(AsStridedShape), kInPlace};
const Operator as_strided_copy_op{
    "as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> "
    "Tensor",
    CopyOf<AsStridedShape>, kOut};
// The copy is of the whole storage, in which the view may reach beyond self.
const Operator as_strided_scatter_op{
    "as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
    "storage_offset=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
