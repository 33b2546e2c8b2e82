#include <limits>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/channel_numbers.h"

namespace sy::cuda {
namespace {

struct GroupSizes {
  int64_t samples, channels, inner, groups;
};

// mean, factor: null, or dense doubles.
void Normalize(Call call, const Tensor& out, const Tensor& input, const GroupSizes& s,
               const Tensor& weight, const Tensor& bias, double eps, double* mean, double* factor) {
  if (out.numel() == 0) return;
  const Tensor in = Dense(call, input, input.dtype()), w = Dense(call, weight, kChannelType),
               b = Dense(call, bias, kChannelType);
  ScaleArgs args{};
  args.in = in.data();
  args.weight = Numbers(w);
  args.bias = Numbers(b);
  args.total = in.numel();
  args.channels = s.channels;
  args.n = s.inner;
  args.groups = s.groups;
  args.eps = eps;
  args.mean = mean;
  args.factor = factor;
  IntoDense(call, out, input.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    Launch(call, Specialised("channels", "ScaleArgs", "NormalizeGroups").Element(input.dtype()),
           {s.samples * s.groups, 256}, args);
  });
}

void GroupNorm(Call call, const Tensor& out, const Tensor& input, int64_t groups,
               const Tensor& weight, const Tensor& bias, double eps, bool) {
  if (out.numel() == 0) return;
  const int64_t n = input.sizes()[0], c = input.sizes()[1];
  Normalize(call, out, input, {n, c, input.numel() / (n * c), groups}, weight, bias, eps, nullptr,
            nullptr);
}

void NativeGroupNorm(Call call, const Tensor& out, const Tensor& mean, const Tensor& factor,
                     const Tensor& input, const Tensor& weight, const Tensor& bias, int64_t samples,
                     int64_t channels, int64_t inner, int64_t groups, double eps) {
  if (mean.numel() == 0) return;
  if (input.numel() == 0) {  // groups without elements
    FillElements(call, mean, Scalar(0));
    return FillElements(call, factor, Scalar(std::numeric_limits<double>::quiet_NaN()));
  }
  IntoDense(call, mean, kChannelType, [&](const Tensor& means) {
    IntoDense(call, factor, kChannelType, [&](const Tensor& factors) {
      Normalize(call, out, input, {samples, channels, inner, groups}, weight, bias, eps,
                static_cast<double*>(means.data()), static_cast<double*>(factors.data()));
    });
  });
}

const Kernel group_norm{"group_norm", "cuda", kFloatingTypes, GroupNorm};
const Kernel native_group_norm{"native_group_norm", "cuda", kFloatingTypes, NativeGroupNorm};

}  // namespace
}  // namespace sy::cuda
