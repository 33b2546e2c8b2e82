#include "backends/cuda/kernels/nn/pool.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

template <int kDims>
void MaxPool(Call call, const Tensor& out, const Tensor& self, IntSpan kernel, IntSpan stride,
             IntSpan padding, IntSpan dilation, bool ceil) {
  RunPool(call, "MaxPool",
          Window::OfPool(call.op(), self, kDims, kernel, stride, padding, dilation, ceil), out,
          nullptr, self, {});
}
template <int kDims>
void WithIndices(Call call, const Tensor& out, const Tensor& indices, const Tensor& self,
                 IntSpan kernel, IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil) {
  RunPool(call, "MaxPool",
          Window::OfPool(call.op(), self, kDims, kernel, stride, padding, dilation, ceil), out,
          &indices, self, {});
}
template <int kDims>
void AdaptiveMax(Call call, const Tensor& out, const Tensor& indices, const Tensor& self,
                 IntSpan output_size) {
  PoolArgs args{};
  args.adaptive = true;
  RunPool(call, "MaxPool", Window::OfAdaptive(call.op(), self, kDims, output_size), out, &indices,
          self, args);
}

const Kernel max1d{"max_pool1d", "cuda", kRealTypes, MaxPool<1>};
const Kernel max2d{"max_pool2d", "cuda", kRealTypes, MaxPool<2>};
const Kernel max3d{"max_pool3d", "cuda", kRealTypes, MaxPool<3>};
const Kernel indices1d{"max_pool1d_with_indices", "cuda", kRealTypes, WithIndices<1>};
const Kernel indices2d{"max_pool2d_with_indices", "cuda", kRealTypes, WithIndices<2>};
const Kernel indices3d{"max_pool3d_with_indices", "cuda", kRealTypes, WithIndices<3>};
const Kernel adaptive_max1d{"adaptive_max_pool1d", "cuda", kRealTypes, AdaptiveMax<1>};
const Kernel adaptive_max2d{"adaptive_max_pool2d", "cuda", kRealTypes, AdaptiveMax<2>};
const Kernel adaptive_max3d{"adaptive_max_pool3d", "cuda", kRealTypes, AdaptiveMax<3>};

}  // namespace
}  // namespace sy::cuda
