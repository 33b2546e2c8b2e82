#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/windows.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/ops/nn/window_backward.h"

namespace sy::cuda {
namespace {

constexpr int64_t kOne[] = {1};

// args: what is not of the windows.
void Run(Call call, const Window& w, const Tensor& out, const Tensor& grad, PoolArgs args) {
  if (out.numel() == 0) return;
  const DType d = out.dtype();
  const Tensor from = Dense(call, grad, d);
  args.w = WindowsOf(w);
  args.planes = w.planes;
  args.in = from.data();
  IntoDense(call, out, d, [&](const Tensor& to) {
    args.out = to.data();
    Launch(call, Specialised("pool_backward", "PoolArgs", "AvgPoolBackward").Element(d),
           BlocksFor(to.numel()), args);
  });
}

template <int kDims>
void AvgPool(Call call, const Tensor& out, const Tensor& grad, const Tensor& self, IntSpan kernel,
             IntSpan stride, IntSpan padding, bool ceil, bool include_pad,
             Optional<int64_t> divisor) {
  PoolArgs args{};
  args.divisor = divisor.value_or(0);
  args.include_pad = include_pad;
  args.rounds = RoundsShares(self, kDims);
  Run(call, Window::OfPool(call.op(), self, kDims, kernel, stride, padding, kOne, ceil), out, grad,
      args);
}
template <int kDims>
void Adaptive(Call call, const Tensor& out, const Tensor& grad, const Tensor& self) {
  PoolArgs args{};
  args.adaptive = true;
  args.rounds = RoundsShares(self, kDims);
  Run(call, AdaptiveWindowOf(call.op(), grad, self, kDims), out, grad, args);
}

const Kernel avg2d{"avg_pool2d_backward", "cuda", kAverageTypes, AvgPool<2>};
const Kernel avg3d{"avg_pool3d_backward", "cuda", kAverageTypes, AvgPool<3>};
const Kernel adaptive2d{"_adaptive_avg_pool2d_backward", "cuda", kFloatingTypes, Adaptive<2>};
const Kernel adaptive3d{"_adaptive_avg_pool3d_backward", "cuda", kFloatingTypes, Adaptive<3>};

}  // namespace
}  // namespace sy::cuda
