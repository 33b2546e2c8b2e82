// What windows have in common: their lengths and dtypes, and the two kinds, a period and the whole.
//
//   Tensor Ramp(const Tensor& k, int64_t last) { return div_(k, last); }   // k: 0 … last
//   const Composite ramp_body{"ramp_window", Window<Ramp>};
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for a negative length or a dtype that is not floating.
#ifndef SWITCHYARD_OPS_CREATE_WINDOW_COMPOSITE_H_
#define SWITCHYARD_OPS_CREATE_WINDOW_COMPOSITE_H_

#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {

struct WindowOptions {
  Optional<DType> dtype;
  Optional<Layout> layout;
  Optional<Device> device;
  Optional<bool> pin_memory;
};

// f: of the numbers 0 … last, in the window's dtype, and last; last > 0.
template <class F>
Tensor MakeWindow(Call call, int64_t length, bool periodic, const WindowOptions& o, F f) {
  if (length < 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"window_length must not be negative, got ", length});
  }
  const DType dtype = o.dtype.value_or(DefaultDType());
  if (!Contains(kFloatingTypes, dtype)) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"dtype must be floating, got ", dtype});
  }
  if (length < 2) return ones({length}, dtype, o.layout, o.device, o.pin_memory);
  const int64_t last = periodic ? length : length - 1;
  const Tensor k = arange(0, last + 1, 1, dtype, o.layout, o.device, o.pin_memory);
  const Tensor window = f(k, last);
  return periodic ? narrow(window, 0, 0, length) : window;
}
template <class F>
void MakeWindowOut(Call call, int64_t length, bool periodic, const Tensor& out, F f) {
  const WindowOptions o = {out.dtype(), std::nullopt, out.device(), std::nullopt};
  const Tensor window = MakeWindow(call, length, periodic, o, f);
  copy_(resize_(out, window.sizes()), window);
}

// The four overloads of a window without numbers of its own.
using WindowOf = Tensor (*)(const Tensor& k, int64_t last);
template <WindowOf kOf>
Tensor WindowPeriodic(Call call, int64_t length, bool periodic, Optional<DType> dtype,
                      Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return MakeWindow(call, length, periodic, {dtype, layout, device, pin_memory}, kOf);
}
template <WindowOf kOf>
Tensor Window(Call call, int64_t length, Optional<DType> dtype, Optional<Layout> layout,
              Optional<Device> device, Optional<bool> pin_memory) {
  return MakeWindow(call, length, true, {dtype, layout, device, pin_memory}, kOf);
}
template <WindowOf kOf>
void WindowPeriodicOut(Call call, int64_t length, bool periodic, const Tensor& out) {
  MakeWindowOut(call, length, periodic, out, kOf);
}
template <WindowOf kOf>
void WindowOut(Call call, int64_t length, const Tensor& out) {
  MakeWindowOut(call, length, true, out, kOf);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_CREATE_WINDOW_COMPOSITE_H_
