// grid_sampler_2d and grid_sampler_3d.

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"

namespace sy::cuda {
namespace {

void GridSampler(Call call, const Tensor& out, const Tensor& input, const Tensor& grid,
                 int64_t mode, int64_t padding, bool align) {
  if (out.numel() == 0) return;
  const DType d = input.dtype();
  const Tensor in = Dense(call, input, d), places = Dense(call, grid, d);
  const int dims = static_cast<int>(input.dim()) - 2;
  SampleArgs args{};
  args.images = out.sizes()[0];
  args.channels = out.sizes()[1];
  args.n = out.numel() / (args.images * args.channels);
  args.inputs[0] = dims == 3 ? input.sizes()[2] : 1;
  args.inputs[1] = input.size(-2);
  args.inputs[2] = input.size(-1);
  args.in = in.data();
  args.grid = places.data();
  IntoDense(call, out, d, [&](const Tensor& to) {
    args.out = to.data();
    Launch(call,
           Specialised("grid_sample", "SampleArgs", "SampleGrid")
               .Element(d)
               .Number(dims)
               .Number(static_cast<int>(mode))
               .Number(static_cast<int>(padding))
               .Number(align),
           BlocksFor(args.images * args.n), args);
  });
}

const Kernel sampler2d{"grid_sampler_2d", "cuda", kFloatingTypes, GridSampler};
const Kernel sampler3d{"grid_sampler_3d", "cuda", kFloatingTypes, GridSampler};

}  // namespace
}  // namespace sy::cuda
