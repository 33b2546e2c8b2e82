// A new tensor with strides of your choice, whose elements have no particular value.
//   size, stride: as many, >= 0 each   →   size with these strides; `dtype` or the default dtype
// Errors: kInvalidArgument when lengths differ or something is negative; else as empty.
// Example: sy::empty_strided({2, 3}, {1, 2})
// Source: ATen empty_strided.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void EmptyStridedShape(ShapeContext& r, IntSpan size, IntSpan stride, Optional<DType> dtype,
                       Optional<Layout> layout, Optional<Device> device,
                       Optional<bool> pin_memory) {
  if (size.size() != stride.size())
    r.Fail({"size ", size, " and stride ", stride, " differ in length"});
  Create(r, layout, device, pin_memory);
  r.Output(size, dtype.value_or(DefaultDType())).strides = stride.data();
  r.ComputeNothing();
}

}  // namespace

const Operator empty_strided_op{
    "empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    EmptyStridedShape, Tags(OperatorTag::kUninitializedOutput)};
// As ATen's, which gives `out` the size and not the strides.
const Operator empty_strided_out_op{
    "empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)",
    Tags(OperatorTag::kUninitializedOutput)};

}  // namespace sy
