#include <optional>

#include "backends/cuda/kernels/nn/pool.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

constexpr int64_t kOne[] = {1};

template <int kDims>
void AvgPool(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan stride,
             IntSpan padding, bool ceil, bool include_pad, Optional<int64_t> divisor) {
  PoolArgs args{};
  args.divisor = divisor.value_or(0);
  args.include_pad = include_pad;
  RunPool(call, "AvgPool",
          Window::OfPool(call.op(), self, kDims, kernel, stride, padding, kOne, ceil), out, nullptr,
          self, args);
}
void AvgPool1d(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan stride,
               IntSpan padding, bool ceil, bool include_pad) {
  AvgPool<1>(call, out, self, kernel, stride, padding, ceil, include_pad, std::nullopt);
}
template <int kDims>
void AdaptiveAvg(Call call, const Tensor& out, const Tensor& self, IntSpan output_size) {
  PoolArgs args{};
  args.adaptive = true;
  args.rounds = kDims == 3 && Contains(kHalfTypes, self.dtype());  // as ATen's are
  RunPool(call, "AvgPool", Window::OfAdaptive(call.op(), self, kDims, output_size), out, nullptr,
          self, args);
}

const Kernel avg1d{"avg_pool1d", "cuda", kAverageTypes, AvgPool1d};
const Kernel avg2d{"avg_pool2d", "cuda", kAverageTypes, AvgPool<2>};
const Kernel avg3d{"avg_pool3d", "cuda", kAverageTypes, AvgPool<3>};
const Kernel adaptive_avg1d{"adaptive_avg_pool1d", "cuda", kFloatingTypes, AdaptiveAvg<1>};
const Kernel adaptive_avg2d{"adaptive_avg_pool2d", "cuda", kFloatingTypes, AdaptiveAvg<2>};
const Kernel adaptive_avg3d{"adaptive_avg_pool3d", "cuda", kFloatingTypes, AdaptiveAvg<3>};

}  // namespace
}  // namespace sy::cuda
