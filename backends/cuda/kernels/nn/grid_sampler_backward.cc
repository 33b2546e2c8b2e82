#include <algorithm>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"

namespace sy::cuda {
namespace {

constexpr int64_t kThreads = int64_t{1} << 15;  // enough of them, as far as an image has rows

void Backward(Call call, const Tensor& grad_input, const Tensor& grad_grid, const Tensor& grad,
              const Tensor& input, const Tensor& grid, int64_t mode, int64_t padding, bool align,
              std::span<const bool> output_mask) {
  if (input.sizes()[0] == 0) return;
  const DType d = input.dtype();
  const Tensor in = Dense(call, input, d), places = Dense(call, grid, d),
               from = Dense(call, grad, d);
  const int dims = static_cast<int>(input.dim()) - 2;
  SampleGradientArgs args{};
  args.images = input.sizes()[0];
  args.channels = input.sizes()[1];
  args.n = grid.numel() / (args.images * dims);
  args.inputs[0] = dims == 3 ? input.sizes()[2] : 1;
  args.inputs[1] = input.size(-2);
  args.inputs[2] = input.size(-1);
  args.in = in.data();
  args.grid = places.data();
  args.grad = from.data();
  args.row = dims == 3 || grid.is_contiguous() ? 0 : grid.size(-2);
  const int64_t planes = args.images * args.channels, rows = args.inputs[0] * args.inputs[1];
  args.bands = std::clamp<int64_t>(kThreads / std::max<int64_t>(planes, 1), 1, rows);
  const auto run = [&](const Tensor& out, const char* function, int64_t threads) {
    if (out.numel() == 0) return;
    IntoDense(call, out, d, [&](const Tensor& to) {
      args.out = to.data();
      Launch(call,
             Specialised("grid_gradient", "SampleGradientArgs", function)
                 .Element(d)
                 .Number(dims)
                 .Number(static_cast<int>(mode))
                 .Number(static_cast<int>(padding))
                 .Flag(align),
             BlocksFor(threads), args);
    });
  };
  run(grad_grid, "GridGradient", args.images * args.n);
  if (output_mask[0]) run(grad_input, "ImageGradient", planes * args.bands);
}

const Kernel backward2d{"grid_sampler_2d_backward", "cuda", kFloatingTypes, Backward};
const Kernel backward3d{"grid_sampler_3d_backward", "cuda", kFloatingTypes, Backward};

}  // namespace
}  // namespace sy::cuda
