// fft_fftfreq and fft_rfftfreq by arange; fft_fftshift and fft_ifftshift by roll.

#include <optional>
#include <vector>

#include "ops/checks.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Dims = std::vector<int64_t>;

void RequireFrequencies(Call call, DType dtype, int64_t n) {
  if (!Contains(kFloatingTypes, dtype) && !IsComplex(dtype)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"dtype must be floating or complex, with arithmetic, got ", dtype});
  }
  if (n < 0) Fail(ErrorCode::kInvalidArgument, call.op(), {"n must not be negative, got ", n});
}
// Onesided: those that are not negative, and the one in the middle.
template <bool kOnesided>
void FrequenciesOut(Call call, int64_t n, double d, const Tensor& out) {
  RequireFrequencies(call, out.dtype(), n);
  const int64_t size = kOnesided ? n / 2 + 1 : n, half = n / 2 + n % 2;
  const Tensor numbers = arange(0, size, DType::kInt64, std::nullopt, out.device());
  if (!SameSizes(out.sizes(), IntSpan(&size, 1))) resize_(out, {size});
  copy_(out, numbers);
  if (!kOnesided) sub_(narrow(out, 0, half, n - half), n);
  mul_(out, 1.0 / (static_cast<double>(n) * d));
}
template <bool kOnesided>
Tensor Frequencies(Call call, int64_t n, double d, Optional<DType> dtype, Optional<Layout> layout,
                   Optional<Device> device, Optional<bool> pin_memory) {
  const DType type = dtype.value_or(DefaultDType());
  RequireFrequencies(call, type, n);
  const Tensor out = empty({n}, type, layout, device, pin_memory);
  FrequenciesOut<kOnesided>(call, n, d, out);
  return out;
}
const Composite fftfreq_body{"fft_fftfreq", Frequencies<false>};
const Composite fftfreq_out_body{"fft_fftfreq.out", FrequenciesOut<false>};
const Composite rfftfreq_body{"fft_rfftfreq", Frequencies<true>};
const Composite rfftfreq_out_body{"fft_rfftfreq.out", FrequenciesOut<true>};

template <bool kBack>
Tensor Shift(Call call, const Tensor& self, std::optional<IntSpan> dim) {
  Dims dims, shifts;
  if (dim) {
    for (const int64_t d : *dim) dims.push_back(WrapDimOf(call, d, self));
  } else {
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  }
  for (const int64_t d : dims) shifts.push_back(self.size(d) / 2 + (kBack ? self.size(d) % 2 : 0));
  return dims.empty() ? clone(self) : roll(self, shifts, dims);
}
const Composite fftshift_body{"fft_fftshift", Shift<false>};
const Composite ifftshift_body{"fft_ifftshift", Shift<true>};

}  // namespace
}  // namespace sy
