#include "backends/cpu/kernels/nn/pool.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/nn/window_backward.h"

namespace sy::cpu {
namespace {

constexpr int64_t kOne[] = {1};

// divisor: what sums were divided by; 0: the number of elements, with or without the padding.
void Run(const Window& w, bool adaptive, const Tensor& out, const Tensor& grad, int64_t divisor,
         bool include_pad) {
  if (out.numel() == 0) return;
  const DType d = PoolType(out.dtype());
  const Tensor from = Dense(grad, d);
  IntoDense(out, d, [&](const Tensor& to) {
    FillElements(to, Scalar(0));
    VisitDType<Mask(DType::kInt64, DType::kFloat32, DType::kFloat64)>(d, [&](auto tag) {
      using T = typename decltype(tag)::type;
      // Sums of integers wrap around.
      using Sum = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                              std::type_identity<T>>::type;
      const T* g = from.data<T>();
      T* all = to.data<T>();
      ForEachWindow(w, adaptive, [&](const Place& p) {
        int64_t count = 1;
        for (int dim = 0; dim < 3; ++dim) count *= std::max<int64_t>(0, p.end[dim] - p.begin[dim]);
        if (count == 0) return;
        const int64_t by = divisor != 0 ? divisor : include_pad ? p.extent : count;
        const Sum share = static_cast<Sum>(static_cast<T>(g[p.output] / static_cast<T>(by)));
        T* x = all + p.plane * w.input_count();
        ForEachElement(w, p,
                       [&](int64_t i) { x[i] = static_cast<T>(static_cast<Sum>(x[i]) + share); });
      });
    });
  });
}

template <int kDims>
void AvgPool(Call call, const Tensor& out, const Tensor& grad, const Tensor& self, IntSpan kernel,
             IntSpan stride, IntSpan padding, bool ceil, bool include_pad,
             Optional<int64_t> divisor) {
  Run(Window::OfPool(call.op(), self, kDims, kernel, stride, padding, kOne, ceil), false, out, grad,
      divisor.value_or(0), include_pad);
}
template <int kDims>
void Adaptive(Call call, const Tensor& out, const Tensor& grad, const Tensor& self) {
  Run(AdaptiveWindowOf(call.op(), grad, self, kDims), true, out, grad, 0, false);
}

const Kernel avg2d{"avg_pool2d_backward", "cpu", kAverageTypes, AvgPool<2>};
const Kernel avg3d{"avg_pool3d_backward", "cpu", kAverageTypes, AvgPool<3>};
const Kernel adaptive2d{"_adaptive_avg_pool2d_backward", "cpu", kFloatingTypes, Adaptive<2>};
const Kernel adaptive3d{"_adaptive_avg_pool3d_backward", "cpu", kFloatingTypes, Adaptive<3>};

}  // namespace
}  // namespace sy::cpu
