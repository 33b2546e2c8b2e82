// Puts values where indices say: x[i] = v. Where a place is named twice, the last value wins; with
// `accumulate` all of them are added, in order.
//   self: any sizes; indices: as those of index; values: dtype of self, sizes that expand to those
//   of index(self, indices)   →   like self
// Errors: kInvalidArgument when dtypes or sizes do not fit or self overlaps an index or values;
// kOutOfRange for too many indices; kIndexOutOfRange for a position out of range. All positions are
// tested before anything is written.
// Example: sy::index_put_(x, {index}, t)
// Source: ATen index_put, _index_put_impl_.
#include "switchyard/ops/index/advanced.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void IndexPutShape(ShapeContext& r, const TensorBase& self, TensorList indices,
                   const TensorBase& values, bool /*accumulate*/) {
  RequireSameDType(r, self, values, "self", "values");
  r.OutputLike(self).starts_as = 0;
  r.SetOverlap(OverlapPolicy::kForbid);
  r.AllowSelfOverlap();
  if (HasMask(indices)) return;  // how many places they name is for the kernel to see
  const AdvancedIndex at(r.op(), self, indices);
  if (!IsExpandable(values.sizes(), at.sizes())) {
    r.Fail({"values of sizes ", values.sizes(), " do not expand to the indexed sizes ",
            IntSpan(at.sizes())});
  }
}

}  // namespace

const Operator index_put_op{
    "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    IndexPutShape, kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator unsafe_index_put_op{
    "_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> "
    "Tensor",
    SameKernels("index_put", IndexPutShape)};

}  // namespace sy
