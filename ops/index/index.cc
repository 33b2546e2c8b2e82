// The elements of self that indices name: x[i], x[:, mask], x[i, :, j].
//   self: any sizes; indices: one for each of self's first dimensions, or none to take all of it;
//   int64 or int32 (-n … n-1 along a dimension of n), which broadcast to common sizes, or masks
//   (bool, uint8) of the sizes of the dimensions they stand for   →   the common sizes in place of
//   the indexed dimensions; in front where these are not neighbours
// _unsafe_index takes no masks. _unsafe_masked_index takes `fill` where mask is false, whatever the
// index there, and _unsafe_masked_index_put_accumulate adds values only where mask is true.
// Errors: kInvalidArgument for sizes that do not broadcast, masks that do not fit, other dtypes;
// kOutOfRange for too many indices and for an empty dimension; kIndexOutOfRange for a position out
// of range.
// Example: sy::index(x, {index})
// Source: ATen index, _unsafe_index, _unsafe_masked_index, _unsafe_masked_index_put_accumulate.
#include "switchyard/ops/index/advanced.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void UnsafeIndexShape(ShapeContext& r, const TensorBase& self, TensorList indices) {
  if (HasMask(indices)) r.Fail({"indices must be int64 or int32, got a mask"});
  const AdvancedIndex at(r.op(), self, indices);
  OutputSpec& o = r.Output(r.Copy(at.sizes()), self.dtype());
  o.strides = r.Copy(at.Strides(self, indices)).data();
}

}  // namespace

// With masks, how many elements there are depends on values: kernels return the result.
const Operator index_op{"index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", KeyRule::kFirst,
                        kOut | Tags(OperatorTag::kDynamicOutputShape)};
const Operator unsafe_index_op{"_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
                               UnsafeIndexShape};
const Operator unsafe_masked_index_op{
    "_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor",
    KeyRule::kFirst};
const Operator unsafe_masked_index_put_accumulate_op{
    "_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor "
    "values) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
