// A new tensor of other sizes, with the dtype and on the device of self unless told otherwise:
// without values, with strides of your choice, of zeros, of ones, or of one number.
//   self: any sizes; size: >= 0 each   →   size
// Errors: as empty, empty_strided and full.
// Example: sy::new_zeros(x, {2, 3})
// Source: ATen new_empty, new_empty_strided, new_zeros, new_ones, new_full.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void NewEmptyStridedShape(ShapeContext& r, const TensorBase& self, IntSpan size, IntSpan stride,
                          Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                          Optional<bool> pin_memory) {
  if (size.size() != stride.size())
    r.Fail({"size ", size, " and stride ", stride, " differ in length"});
  Create(r, layout, device ? *device : self.device(), pin_memory);
  r.Output(size, dtype.value_or(self.dtype())).strides = stride.data();
  r.ComputeNothing();
}

void NewEmptyShape(ShapeContext& r, const TensorBase& self, IntSpan size, Optional<DType> dtype,
                   Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  Create(r, layout, device ? *device : self.device(), pin_memory);
  r.Output(size, dtype.value_or(self.dtype()));
  r.ComputeNothing();
}

}  // namespace

const Operator new_empty_op{
    "new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    NewEmptyShape, Tags(OperatorTag::kUninitializedOutput)};
const Operator new_empty_out_op{
    "new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", KeyRule::kFirst,
    Tags(OperatorTag::kUninitializedOutput)};
const Operator new_empty_strided_op{
    "new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    NewEmptyStridedShape, Tags(OperatorTag::kUninitializedOutput)};
const Operator new_empty_strided_out_op{
    "new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> "
    "Tensor(a!)",
    KeyRule::kFirst, Tags(OperatorTag::kUninitializedOutput)};
const Operator new_zeros_op{
    "new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    KeyRule::kFirst};
const Operator new_zeros_out_op{
    "new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", KeyRule::kFirst};
const Operator new_ones_op{
    "new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    KeyRule::kFirst};
const Operator new_ones_out_op{
    "new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", KeyRule::kFirst};
const Operator new_full_op{
    "new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    KeyRule::kFirst};
const Operator new_full_out_op{
    "new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
