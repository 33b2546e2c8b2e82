// Puts elements of `source` where these numbers, counted row by row, say. Where one occurs twice,
// the last element wins; with `accumulate` all of them are added, in order.
//   self: any sizes, n elements; index: int64, each -n … n-1; source: as many elements as index,
//   dtype of self   →   like self
// Errors: kInvalidArgument when dtypes or numbers of elements do not fit, or self overlaps index or
// source; kOutOfRange when self is empty and index is not; kIndexOutOfRange for a number out of
// range. All numbers are tested before anything is written.
// Example: sy::put_(x, index, t)
// Source: ATen put.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void PutShape(ShapeContext& r, const TensorBase& self, const TensorBase& index,
              const TensorBase& source, bool /*accumulate*/) {
  if (index.dtype() != DType::kInt64) r.Fail({"index must be int64, got ", index.dtype()});
  RequireSameDType(r, self, source, "self", "source");
  if (index.numel() != source.numel()) {
    r.Fail({"source must have as many elements as index, got ", source.numel(), " and ",
            index.numel()});
  }
  if (self.numel() == 0 && index.numel() != 0) {
    r.Fail(ErrorCode::kOutOfRange,
           {"self has no elements to put anything into; its sizes are ", self.sizes()});
  }
  r.OutputLike(self).starts_as = 0;
  r.SetOverlap(OverlapPolicy::kForbid);
}

}  // namespace

const Operator put_op{
    "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", PutShape,
    kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
