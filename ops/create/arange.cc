// Numbers from start (0) to, but not including, end in steps of `step` (1).
//   start, end, step: numbers   →   [ceil((end - start) / step)]; `dtype`, or else int64 when all
//   are integers and the default dtype otherwise
// Errors: kInvalidArgument for a step of 0 or away from end, bounds that are not finite, and bool
// or complex dtypes.
// Example: sy::arange(0, 10, 2)
// Source: ATen arange.
#include <cmath>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

int64_t Length(const ShapeContext& r, const Scalar& start, const Scalar& end, const Scalar& step,
               DType dtype) {
  const auto finite = [](const Scalar& s) { return std::isfinite(s.To<double>()); };
  if (start.is_complex() || end.is_complex() || step.is_complex())
    r.Fail({"start, end and step must be real"});
  const double from = start.To<double>(), to = end.To<double>(), by = step.To<double>();
  if (!(by > 0 || by < 0)) r.Fail({"step must not be 0, got ", step.str()});
  if (!finite(start) || !finite(end))
    r.Fail({"start and end must be finite, got ", start.str(), " and ", end.str()});
  if ((by > 0 && to < from) || (by < 0 && to > from)) {
    r.Fail({"step ", step.str(), " leads away from end: from ", start.str(), " to ", end.str()});
  }
  if (dtype == DType::kInt64) {  // exactly, where doubles would round
    const int64_t a = start.To<int64_t>(), b = end.To<int64_t>(), s = step.To<int64_t>();
    if (s == 0) r.Fail({"step must not be 0 as int64, got ", step.str()});
    const __int128 distance = static_cast<__int128>(b) - a;
    const __int128 n = (distance + s - (s > 0 ? 1 : -1)) / s;
    return static_cast<int64_t>(n);
  }
  const double n = std::ceil((to - from) / by);
  if (!(n >= 0 && n < 0x1p63))
    r.Fail({"there are too many steps of ", step.str(), " to ", end.str()});
  return static_cast<int64_t>(n);
}

void ArangeShape(ShapeContext& r, const Scalar& start, const Scalar& end, const Scalar& step,
                 Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                 Optional<bool> pin_memory) {
  const bool integers = start.is_integral(true) && end.is_integral(true) && step.is_integral(true);
  const DType d = dtype.value_or(integers ? DType::kInt64 : DefaultDType());
  if (d == DType::kBool || IsComplex(d) || Contains(kWideUnsignedTypes | kFloat8Types, d)) {
    r.Fail(ErrorCode::kNotImplemented, {"dtype must be an integer or floating, got ", d});
  }
  Create(r, layout, device, pin_memory);
  r.Output({Length(r, start, end, step, d)}, d);
}

}  // namespace

const Operator arange_op{
    "arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> "
    "Tensor"};
const Operator arange_start_op{
    "arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? "
    "pin_memory=None) -> Tensor"};
const Operator arange_step_op{
    "arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    ArangeShape};
const Operator arange_out_op{"arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator arange_start_out_op{
    "arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace sy
