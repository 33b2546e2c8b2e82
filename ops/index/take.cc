// The elements of self with these numbers, counted row by row.
//   self: any sizes, n elements; index: int64, any sizes, each -n … n-1   →   sizes of index, dtype
//   of self
// Errors: kInvalidArgument for another dtype of index; kOutOfRange when self is empty and index is
// not; kIndexOutOfRange for a number out of range.
// Example: sy::take(x, index)
// Source: ATen take.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void TakeShape(ShapeContext& r, const TensorBase& self, const TensorBase& index) {
  if (index.dtype() != DType::kInt64) r.Fail({"index must be int64, got ", index.dtype()});
  if (self.numel() == 0 && index.numel() != 0)
    r.Fail(ErrorCode::kOutOfRange, {"self has no elements to take; its sizes are ", self.sizes()});
  r.Output(index.sizes(), self.dtype());
  r.SetOverlap(OverlapPolicy::kForbid);
}

}  // namespace

const Operator take_op{"take(Tensor self, Tensor index) -> Tensor", TakeShape, kOut};

}  // namespace sy
