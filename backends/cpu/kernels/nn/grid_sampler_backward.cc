// Places of grids and planes of images, each by one thread.
#include <algorithm>

#include "backends/cpu/kernels/nn/grid_gradients.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Backward(Call, const Tensor& grad_input, const Tensor& grad_grid, const Tensor& grad,
              const Tensor& input, const Tensor& grid, int64_t mode, int64_t padding, bool align,
              std::span<const bool> output_mask) {
  const DType d = input.dtype();
  const Tensor from = Dense(grad, d), in = Dense(input, d), places = Dense(grid, d);
  const bool by_rows = !grid.is_contiguous() && input.dim() == 4;
  VisitDType<kFloatingTypes>(d, [&](auto tag) {
    using E = typename decltype(tag)::type;
    const auto compute = [&](const Tensor& out, int64_t grain, auto run) {
      if (out.numel() == 0) return;
      IntoDense(out, d, [&](const Tensor& to) {
        const Gradients<E, typename ComputedAs<E>::Type> all{from,    in,    places, mode,
                                                             padding, align, by_rows};
        run(all, to.data<E>(), grain);
      });
    };
    compute(grad_grid, 1 << 8, [&](const auto& all, E* to, int64_t grain) {
      ParallelFor(grid.numel() / all.dims, grain,
                  [&](int64_t begin, int64_t end) { all.OfGrid(to, begin, end); });
    });
    if (!output_mask[0]) return;
    compute(grad_input, 1, [&](const auto& all, E* to, int64_t grain) {
      const int64_t channels = all.channels;
      ParallelFor(input.sizes()[0] * channels, grain, [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end;) {  // image by image
          const int64_t last = std::min(end, (p / channels + 1) * channels);
          all.OfImage(to + p * all.plane, p, last);
          p = last;
        }
      });
    });
  });
}

const Kernel backward2d{"grid_sampler_2d_backward", "cpu", kFloatingTypes, Backward};
const Kernel backward3d{"grid_sampler_3d_backward", "cpu", kFloatingTypes, Backward};

}  // namespace
}  // namespace sy::cpu
