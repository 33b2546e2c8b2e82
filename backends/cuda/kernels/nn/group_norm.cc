#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/channel_numbers.h"

namespace sy::cuda {
namespace {

void GroupNorm(Call call, const Tensor& out, const Tensor& input, int64_t groups,
               const Tensor& weight, const Tensor& bias, double eps, bool) {
  if (out.numel() == 0) return;
  const Tensor in = Dense(call, input, input.dtype()), w = Dense(call, weight, kChannelType),
               b = Dense(call, bias, kChannelType);
  ScaleArgs args{};
  args.in = in.data();
  args.weight = Numbers(w);
  args.bias = Numbers(b);
  args.total = in.numel();
  args.channels = in.sizes()[1];
  args.n = args.total / (in.sizes()[0] * args.channels);
  args.groups = groups;
  args.eps = eps;
  IntoDense(call, out, input.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    Launch(call, Specialised("channels", "ScaleArgs", "NormalizeGroups").Element(input.dtype()),
           {in.sizes()[0] * groups, 256}, args);
  });
}
const Kernel group_norm{"group_norm", "cuda", kFloatingTypes, GroupNorm};

}  // namespace
}  // namespace sy::cuda
