#include "backends/cpu/kernels/nn/pool.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/nn/window_backward.h"

namespace sy::cpu {
namespace {

constexpr int64_t kOne[] = {1};

// Adds its share of each window's gradient to the elements of the window. divisor: what sums were
// divided by; 0: the number of elements, with or without the padding. round(x): of each operation.
template <class T, class Round>
void AddShares(const Window& w, bool adaptive, const T* g, T* all, int64_t divisor,
               bool include_pad, Round round) {
  // Sums of integers wrap around.
  using Sum = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                          std::type_identity<T>>::type;
  ForEachWindow(w, adaptive, [&](const Place& p) {
    int64_t count = 1, sizes[3];
    for (int d = 0; d < 3; ++d) count *= sizes[d] = std::max<int64_t>(0, p.end[d] - p.begin[d]);
    if (count == 0) return;
    T share = g[p.output];
    if (adaptive) {  // as ATen divides, dimension by dimension
      for (int64_t size : sizes) share = round(share / static_cast<T>(size));
    } else {
      const int64_t by = divisor != 0 ? divisor : include_pad ? p.extent : count;
      share = round(share / static_cast<T>(by));
    }
    T* x = all + p.plane * w.input_count();
    ForEachElement(w, p, [&](int64_t i) {
      x[i] = round(static_cast<T>(static_cast<Sum>(x[i]) + static_cast<Sum>(share)));
    });
  });
}

// rounds: 16-bit floats after each operation, as ATen does but for channels last.
void Run(const Window& w, bool adaptive, bool rounds, const Tensor& out, const Tensor& grad,
         int64_t divisor, bool include_pad) {
  if (out.numel() == 0) return;
  const DType d = PoolType(out.dtype());
  const Tensor from = Dense(grad, d);
  IntoDense(out, d, [&](const Tensor& to) {
    FillElements(to, Scalar(0));
    VisitDType<Mask(DType::kInt64, DType::kFloat32, DType::kFloat64)>(d, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const auto add = [&](auto round) {
        AddShares(w, adaptive, from.data<T>(), to.data<T>(), divisor, include_pad, round);
      };
      if constexpr (std::is_same_v<T, float>) {
        if (rounds && out.dtype() == DType::kFloat16)
          return add([](float x) { return static_cast<float>(Half(x)); });
        if (rounds && out.dtype() == DType::kBFloat16)
          return add([](float x) { return static_cast<float>(BFloat16(x)); });
      }
      add([](T x) { return x; });
    });
  });
}

template <int kDims>
void AvgPool(Call call, const Tensor& out, const Tensor& grad, const Tensor& self, IntSpan kernel,
             IntSpan stride, IntSpan padding, bool ceil, bool include_pad,
             Optional<int64_t> divisor) {
  Run(Window::OfPool(call.op(), self, kDims, kernel, stride, padding, kOne, ceil), false,
      RoundsShares(self, kDims), out, grad, divisor.value_or(0), include_pad);
}
template <int kDims>
void Adaptive(Call call, const Tensor& out, const Tensor& grad, const Tensor& self) {
  Run(AdaptiveWindowOf(call.op(), grad, self, kDims), true, RoundsShares(self, kDims), out, grad, 0,
      false);
}

const Kernel avg2d{"avg_pool2d_backward", "cpu", kAverageTypes, AvgPool<2>};
const Kernel avg3d{"avg_pool3d_backward", "cpu", kAverageTypes, AvgPool<3>};
const Kernel adaptive2d{"_adaptive_avg_pool2d_backward", "cpu", kFloatingTypes, Adaptive<2>};
const Kernel adaptive3d{"_adaptive_avg_pool3d_backward", "cpu", kFloatingTypes, Adaptive<3>};

}  // namespace
}  // namespace sy::cpu
