// range by arange.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// How many steps lead from start to end: exactly where N is a 128-bit integer. Errors: as range's.
template <class N>
N StepsOf(Call call, N start, N end, N step, DType d) {
  if (step == 0) Fail(ErrorCode::kInvalidArgument, call.op(), {"step must not be 0 in ", d});
  if (step > 0 ? end < start : end > start)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"step leads from start away from end"});
  const N steps = (end - start) / step;
  if (!(steps < static_cast<N>(INT64_MAX)))
    Fail(ErrorCode::kInvalidArgument, call.op(), {"there are too many steps"});
  return steps;
}

void RequireFiniteReal(Call call, const Scalar& s, std::string_view name) {
  if (!s.is_complex() && std::isfinite(s.To<double>())) return;
  Fail(ErrorCode::kInvalidArgument, call.op(), {name, " must be real and finite, got ", s.str()});
}

Tensor RangeStep(Call call, const Scalar& start, const Scalar& end, const Scalar& step,
                 Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                 Optional<bool> pin_memory) {
  const DType d = dtype.value_or(DefaultDType());
  if (!Contains(kIntegerTypes | kFloatingTypes, d)) {
    Fail(ErrorCode::kNotImplemented, call.op(), {"dtype must be an integer or floating, got ", d});
  }
  RequireFiniteReal(call, start, "start");
  RequireFiniteReal(call, end, "end");
  RequireFiniteReal(call, step, "step");
  if (IsFloating(d)) {
    const double from = start.To<double>(), by = step.To<double>();
    const double steps = std::floor(StepsOf(call, from, end.To<double>(), by, d));
    // To half a step behind the last number, which then is there however the quotient rounds.
    return arange(from, from + (steps + 0.5) * by, by, d, layout, device, pin_memory);
  }
  const auto from = start.To<int64_t>(), by = step.To<int64_t>();
  const auto steps = StepsOf<__int128>(call, from, end.To<int64_t>(), by, d);
  const Tensor t =
      arange(0, static_cast<int64_t>(steps) + 1, 1, DType::kInt64, layout, device, pin_memory);
  return to(add_(mul_(t, by), from), d);
}
Tensor Range(Call call, const Scalar& start, const Scalar& end, Optional<DType> dtype,
             Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return RangeStep(call, start, end, 1, dtype, layout, device, pin_memory);
}
void RangeStepOut(Call call, const Scalar& start, const Scalar& end, const Scalar& step,
                  const Tensor& out) {
  const Tensor t =
      RangeStep(call, start, end, step, out.dtype(), std::nullopt, out.device(), std::nullopt);
  if (out.numel() != t.numel()) resize_(out, t.sizes());
  copy_(out, view(t, out.sizes()));
}
void RangeOut(Call call, const Scalar& start, const Scalar& end, const Tensor& out) {
  RangeStepOut(call, start, end, 1, out);
}
const Composite range_body{"range", Range};
const Composite range_step_body{"range.step", RangeStep};
const Composite range_out_body{"range.out", RangeStepOut};
const Composite range_without_step_out_body{"range.out_", RangeOut};

}  // namespace
}  // namespace sy
