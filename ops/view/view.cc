// self seen with other sizes, without a copy; one size may be -1 and is inferred. view_as
// takes the sizes of a tensor; view_copy copies, whatever the strides; _unsafe_view is a view whose
// schema does not say so.
//   self: any sizes; size: as many elements   →   size, the storage of self
// Errors: kInvalidArgument when the elements are not as many, or strides cannot express it (use
// reshape).
// Example: sy::view(x, {2, -1})
// Source: ATen view, view_as, view_copy, _unsafe_view.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void ViewShape(ShapeContext& r, const TensorBase& self, IntSpan size) {
  const int64_t rank = static_cast<int64_t>(size.size());
  int64_t *sizes = r.Ints(rank), *strides = r.Ints(rank);
  InferSize(size, self.numel(), sizes, r.op());
  const IntSpan wanted(sizes, size.size());
  if (!ViewStrides(self.sizes(), self.strides(), self.numel(), wanted, strides)) {
    r.Fail({"sizes ", self.sizes(), " with strides ", self.strides(), " cannot be seen as ", wanted,
            " without a copy; use reshape"});
  }
  r.View(wanted, IntSpan(strides, size.size()), self.storage_offset());
}

void ViewAsShape(ShapeContext& r, const TensorBase& self, const TensorBase& other) {
  ViewShape(r, self, other.sizes());
}

void ViewCopyShape(ShapeContext& r, const TensorBase& self, IntSpan size) {
  int64_t* sizes = r.Ints(static_cast<int64_t>(size.size()));
  InferSize(size, self.numel(), sizes, r.op());
  r.Output(IntSpan(sizes, size.size()), self.dtype());
}

}  // namespace

const Operator view_op{"view(Tensor(a) self, SymInt[] size) -> Tensor(a)", View(ViewShape)};
const Operator view_as_op{"view_as(Tensor(a) self, Tensor other) -> Tensor(a)", View(ViewAsShape)};
const Operator view_copy_op{"view_copy(Tensor self, SymInt[] size) -> Tensor", ViewCopyShape,
                            kOut | Tags(OperatorTag::kViewCopy)};
const Operator unsafe_view_op{
    "_unsafe_view(Tensor self, SymInt[] size) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kRowMajorOut) | Tags(OperatorTag::kMaybeAliasingOrMutating)};

}  // namespace sy
