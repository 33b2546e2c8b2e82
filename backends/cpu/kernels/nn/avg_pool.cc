#include "backends/cpu/kernels/nn/pool.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kOne[] = {1};

// divisor: what sums are divided by; 0: the number of elements, with or without the padding.
void Run(const Window& w, bool adaptive, const Tensor& out, const Tensor& self, int64_t divisor,
         bool include_pad) {
  if (out.numel() == 0) return;
  const DType d = PoolType(self.dtype());
  const Tensor in = Dense(self, d);
  IntoDense(out, d, [&](const Tensor& to) {
    VisitDType<Mask(DType::kInt64, DType::kFloat32, DType::kFloat64)>(d, [&](auto tag) {
      using T = typename decltype(tag)::type;
      // Sums of integers wrap around.
      using Sum = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                              std::type_identity<T>>::type;
      const T* all = in.data<T>();
      T* result = to.data<T>();
      ForEachWindow(w, adaptive, [&](const Place& p) {
        const T* x = all + p.plane * w.input_count();
        Sum sum = 0;
        int64_t count = 0;
        ForEachElement(w, p, [&](int64_t i) {
          sum += static_cast<Sum>(x[i]);
          ++count;
        });
        const int64_t by = divisor != 0 ? divisor : include_pad ? p.extent : count;
        const T total = static_cast<T>(sum);
        result[p.output] = count == 0 ? T(0) : static_cast<T>(total / static_cast<T>(by));
      });
    });
  });
}

// Adaptive windows of 16-bit floats in three dimensions, rounded after each operation: as ATen's
// are. Source: adaptive_avg_pool3d_out_frame, ATen/native/AdaptiveAveragePooling3d.cpp.
template <class T>
void RunRounded(const Window& w, const Tensor& out, const Tensor& self) {
  const Tensor in = Contiguous(self);
  IntoDense(out, out.dtype(), [&](const Tensor& to) {
    T* result = to.data<T>();
    ForEachWindow(w, /*adaptive=*/true, [&](const Place& p) {
      const T* x = in.data<T>() + p.plane * w.input_count();
      T sum(0.0F);
      ForEachElement(
          w, p, [&](int64_t i) { sum = T(static_cast<float>(sum) + static_cast<float>(x[i])); });
      for (int d = 0; d < 3; ++d)
        sum = T(static_cast<float>(sum) / static_cast<float>(p.end[d] - p.begin[d]));
      result[p.output] = sum;
    });
  });
}

template <int kDims>
void AvgPool(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan stride,
             IntSpan padding, bool ceil, bool include_pad, Optional<int64_t> divisor) {
  Run(Window::OfPool(call.op(), self, kDims, kernel, stride, padding, kOne, ceil), false, out, self,
      divisor.value_or(0), include_pad);
}
void AvgPool1d(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan stride,
               IntSpan padding, bool ceil, bool include_pad) {
  AvgPool<1>(call, out, self, kernel, stride, padding, ceil, include_pad, std::nullopt);
}
template <int kDims>
void Adaptive(Call call, const Tensor& out, const Tensor& self, IntSpan output_size) {
  const Window w = Window::OfAdaptive(call.op(), self, kDims, output_size);
  if (out.numel() != 0 && kDims == 3 && self.dtype() == DType::kFloat16)
    return RunRounded<Half>(w, out, self);
  if (out.numel() != 0 && kDims == 3 && self.dtype() == DType::kBFloat16)
    return RunRounded<BFloat16>(w, out, self);
  Run(w, true, out, self, 0, false);
}

const Kernel avg1d{"avg_pool1d", "cpu", kAverageTypes, AvgPool1d};
const Kernel avg2d{"avg_pool2d", "cpu", kAverageTypes, AvgPool<2>};
const Kernel avg3d{"avg_pool3d", "cpu", kAverageTypes, AvgPool<3>};
const Kernel adaptive1d{"adaptive_avg_pool1d", "cpu", kFloatingTypes, Adaptive<1>};
const Kernel adaptive2d{"adaptive_avg_pool2d", "cpu", kFloatingTypes, Adaptive<2>};
const Kernel adaptive3d{"adaptive_avg_pool3d", "cpu", kFloatingTypes, Adaptive<3>};

}  // namespace
}  // namespace sy::cpu
