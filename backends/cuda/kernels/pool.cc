// Pooling by maxima and by means, with windows that are given or that divide the input.

#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/run.h"
#include "backends/cuda/kernels/windows.h"

namespace sy::cuda {
namespace {

constexpr int64_t kOne[] = {1};

void Run(Call call, const DeviceFunction& function, const Window& w, const Tensor& out,
         const Tensor* places, const Tensor& self, PoolArgs args) {
  if (out.numel() == 0) return;
  const DType d = self.dtype();
  const Tensor in = Dense(call, self, d);
  args.w = WindowsOf(w);
  args.planes = w.planes;
  args.in = in.data();
  IntoDense(call, out, d, [&](const Tensor& to) {
    args.out = to.data();
    const auto run = [&] { RunDevice(call, function, {d}, {}, BlocksFor(to.numel()), args); };
    if (places == nullptr) return run();
    IntoDense(call, *places, DType::kInt64, [&](const Tensor& at) {
      args.places = at.data();
      run();
    });
  });
}

constexpr DeviceFunction kMax{"pool", "PoolArgs", "MaxPool"}, kAvg{"pool", "PoolArgs", "AvgPool"};

template <int kDims>
void MaxPool(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan stride,
             IntSpan padding, IntSpan dilation, bool ceil) {
  Run(call, kMax, Window::OfPool(call.op(), self, kDims, kernel, stride, padding, dilation, ceil),
      out, nullptr, self, {});
}
template <int kDims>
void WithIndices(Call call, const Tensor& out, const Tensor& indices, const Tensor& self,
                 IntSpan kernel, IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil) {
  Run(call, kMax, Window::OfPool(call.op(), self, kDims, kernel, stride, padding, dilation, ceil),
      out, &indices, self, {});
}
template <int kDims>
void AdaptiveMax(Call call, const Tensor& out, const Tensor& indices, const Tensor& self,
                 IntSpan output_size) {
  PoolArgs args{};
  args.adaptive = true;
  Run(call, kMax, Window::OfAdaptive(call.op(), self, kDims, output_size), out, &indices, self,
      args);
}

constexpr DTypeMask kMaxTypes = kIntegers | kFloatingTypes;
const Kernel max1d{"max_pool1d", "cuda", kMaxTypes, MaxPool<1>};
const Kernel max2d{"max_pool2d", "cuda", kMaxTypes, MaxPool<2>};
const Kernel max3d{"max_pool3d", "cuda", kMaxTypes, MaxPool<3>};
const Kernel indices1d{"max_pool1d_with_indices", "cuda", kMaxTypes, WithIndices<1>};
const Kernel indices2d{"max_pool2d_with_indices", "cuda", kMaxTypes, WithIndices<2>};
const Kernel indices3d{"max_pool3d_with_indices", "cuda", kMaxTypes, WithIndices<3>};
const Kernel adaptive_max1d{"adaptive_max_pool1d", "cuda", kMaxTypes, AdaptiveMax<1>};
const Kernel adaptive_max2d{"adaptive_max_pool2d", "cuda", kMaxTypes, AdaptiveMax<2>};
const Kernel adaptive_max3d{"adaptive_max_pool3d", "cuda", kMaxTypes, AdaptiveMax<3>};

template <int kDims>
void AvgPool(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan stride,
             IntSpan padding, bool ceil, bool include_pad, Optional<int64_t> divisor) {
  PoolArgs args{};
  args.divisor = divisor.value_or(0);
  args.include_pad = include_pad;
  Run(call, kAvg, Window::OfPool(call.op(), self, kDims, kernel, stride, padding, kOne, ceil), out,
      nullptr, self, args);
}
void AvgPool1d(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan stride,
               IntSpan padding, bool ceil, bool include_pad) {
  AvgPool<1>(call, out, self, kernel, stride, padding, ceil, include_pad, std::nullopt);
}
template <int kDims>
void AdaptiveAvg(Call call, const Tensor& out, const Tensor& self, IntSpan output_size) {
  PoolArgs args{};
  args.adaptive = true;
  Run(call, kAvg, Window::OfAdaptive(call.op(), self, kDims, output_size), out, nullptr, self,
      args);
}

constexpr DTypeMask kAvgTypes = Bit(DType::kInt64) | kFloatingTypes;
const Kernel avg1d{"avg_pool1d", "cuda", kAvgTypes, AvgPool1d};
const Kernel avg2d{"avg_pool2d", "cuda", kAvgTypes, AvgPool<2>};
const Kernel avg3d{"avg_pool3d", "cuda", kAvgTypes, AvgPool<3>};
const Kernel adaptive_avg1d{"adaptive_avg_pool1d", "cuda", kFloatingTypes, AdaptiveAvg<1>};
const Kernel adaptive_avg2d{"adaptive_avg_pool2d", "cuda", kFloatingTypes, AdaptiveAvg<2>};
const Kernel adaptive_avg3d{"adaptive_avg_pool3d", "cuda", kFloatingTypes, AdaptiveAvg<3>};

}  // namespace
}  // namespace sy::cuda
