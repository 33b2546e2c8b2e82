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
  Run(Window::OfAdaptive(call.op(), self, kDims, output_size), true, out, self, 0, false);
}

const Kernel avg1d{"avg_pool1d", "cpu", kAverageTypes, AvgPool1d};
const Kernel avg2d{"avg_pool2d", "cpu", kAverageTypes, AvgPool<2>};
const Kernel avg3d{"avg_pool3d", "cpu", kAverageTypes, AvgPool<3>};
const Kernel adaptive1d{"adaptive_avg_pool1d", "cpu", kFloatingTypes, Adaptive<1>};
const Kernel adaptive2d{"adaptive_avg_pool2d", "cpu", kFloatingTypes, Adaptive<2>};
const Kernel adaptive3d{"adaptive_avg_pool3d", "cpu", kFloatingTypes, Adaptive<3>};

}  // namespace
}  // namespace sy::cpu
