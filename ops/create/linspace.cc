// `steps` numbers from start to end, both included, evenly spaced; logspace: base to the power of
// these.
//   start, end: numbers or 0-d tensors; steps: >= 0   →   [steps]; `dtype`, or else the default
//   dtype, its complex one where start or end is complex
// Errors: kInvalidArgument for steps below 0, tensors that have dimensions, and a start or end that
// does not fit the dtype; kNotImplemented for bool and the wider unsigned dtypes.
// Example: sy::linspace(0, 1, 5)
// Source: ATen linspace, logspace.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void SpacedShape(ShapeContext& r, const Scalar& start, const Scalar& end, int64_t steps,
                 Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                 Optional<bool> pin_memory) {
  if (steps < 0) r.Fail({"steps must not be negative, got ", steps});
  const bool complex = start.is_complex() || end.is_complex();
  const DType d = dtype.value_or(complex ? ComplexType(DefaultDType()) : DefaultDType());
  if (complex && !IsComplex(d)) r.Fail({"a complex start or end needs a complex dtype, got ", d});
  if (!Contains(kIntegerTypes | kFloatingTypes | kComplexTypes, d)) {
    r.Fail(ErrorCode::kNotImplemented,
           {"dtype must be an integer, floating or complex one, got ", d});
  }
  if (steps > 0) RequireStorable(r, start, d, "start");
  if (steps > 1) RequireStorable(r, end, d, "end");
  Create(r, layout, device, pin_memory);
  r.Output({steps}, d);
}
void LogSpacedShape(ShapeContext& r, const Scalar& start, const Scalar& end, int64_t steps,
                    double /*base*/, Optional<DType> dtype, Optional<Layout> layout,
                    Optional<Device> device, Optional<bool> pin_memory) {
  SpacedShape(r, start, end, steps, dtype, layout, device, pin_memory);
}

}  // namespace

const Operator linspace_op{
    "linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor",
    SpacedShape};
const Operator linspace_tensors_op{
    "linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator linspace_tensor_number_op{
    "linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator linspace_number_tensor_op{
    "linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator linspace_out_op{
    "linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator logspace_op{
    "logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    LogSpacedShape};
const Operator logspace_tensors_op{
    "logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10., *, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator logspace_tensor_number_op{
    "logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10., *, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator logspace_number_tensor_op{
    "logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10., *, ScalarType? "
    "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator logspace_out_op{
    "logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator linspace_tensors_out_op{
    "linspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, *, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator linspace_tensor_number_out_op{
    "linspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, *, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator linspace_number_tensor_out_op{
    "linspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, *, Tensor(a!) out) -> "
    "Tensor(a!)"};
const Operator logspace_tensors_out_op{
    "logspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, float base=10., *, "
    "Tensor(a!) out) -> Tensor(a!)"};
const Operator logspace_tensor_number_out_op{
    "logspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, float base=10., *, "
    "Tensor(a!) out) -> Tensor(a!)"};
const Operator logspace_number_tensor_out_op{
    "logspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, float base=10., *, "
    "Tensor(a!) out) -> Tensor(a!)"};

}  // namespace sy
