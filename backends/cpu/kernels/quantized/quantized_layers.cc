// Sums and products of quantised tensors, in one pass for 8 bits.
#include <algorithm>

#include "backends/cpu/kernels/quantized/affine.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/quantized/lanes.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops/quantized/layers.h"

namespace sy::cpu {
namespace {

template <bool kSum, bool kRelu>
Tensor Combine(Call call, const Tensor& qa, const Tensor& qb, double scale, int64_t zero_point) {
  RequireAlike(call.op(), qa, qb);
  RequireZeroPoint(call.op(), "zero_point", zero_point, qa.dtype());
  const Quantizer of_a = *FindQuantizer(qa), of_b = *FindQuantizer(qb);
  Tensor a = IntegersOf(qa), b = IntegersOf(qb);
  if (!SameSizes(a.sizes(), b.sizes()) || !SameSizes(a.strides(), b.strides()) ||
      !a.is_non_overlapping_and_dense()) {
    int64_t sizes[kMaxRank];
    const int rank = Broadcast(a.sizes(), b.sizes(), sizes, call.op());
    const IntSpan both(sizes, static_cast<size_t>(rank));
    a = Contiguous(Expanded(a, both));
    b = Contiguous(Expanded(b, both));
  }
  const Tensor out = EmptyAs(a, a.dtype());
  const float inverse = 1.0f / static_cast<float>(scale);
  VisitDType<kQuantizedTypes>(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T *x = a.data<T>(), *y = b.data<T>();
    T* to = out.data<T>();
    const auto least = static_cast<T>(kRelu ? zero_point : RangeOf(a.dtype()).low);
    const auto scale_a = static_cast<float>(of_a.scale), scale_b = static_cast<float>(of_b.scale);
    ParallelFor(out.numel(), kWork, [&](int64_t first, int64_t last) {
      if constexpr (sizeof(T) == 1) {
        const QuantizedLoops<T>& loops = ActiveQuantized<T>();
        (kSum ? loops.add : loops.mul)(to + first, x + first, y + first, last - first,
                                       {scale_a, static_cast<int32_t>(of_a.zero_point)},
                                       {scale_b, static_cast<int32_t>(of_b.zero_point)},
                                       {inverse, static_cast<int32_t>(zero_point), least});
      } else {
        for (int64_t i = first; i < last; ++i) {
          const float left = static_cast<float>(x[i] - of_a.zero_point) * scale_a,
                      right = static_cast<float>(y[i] - of_b.zero_point) * scale_b;
          const float number = kSum ? left + right : left * right;
          to[i] = std::max(least, IntegerFor<T>(number * inverse, zero_point));
        }
      }
    });
  });
  return MakeQuantized(out, Quantizer(scale, zero_point));
}

#define SY_KERNEL(id, name, ...) \
  const LayoutKernel id{name, kQuantized, Combine<__VA_ARGS__>, "cpu"};
SY_KERNEL(add, "quantized_add", true, false)
SY_KERNEL(mul, "quantized_mul", false, false)
SY_KERNEL(add_relu, "quantized::add_relu", true, true)
SY_KERNEL(mul_relu, "quantized::mul_relu", false, true)
#undef SY_KERNEL

}  // namespace
}  // namespace sy::cpu
