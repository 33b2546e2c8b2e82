// Gradients of images read at points between their elements.
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

template <auto kBackward>
void SamplerGrad(const Grad& g, const Tensor& input, const Tensor& grid, int64_t interpolation,
                 int64_t padding, bool align_corners, Gradients& out) {
  const bool mask[] = {out.needs(0), out.needs(1)};
  auto [of_input, of_grid] = kBackward(g.tensor(), input, grid, interpolation, padding,
                                       align_corners, std::span<const bool>(mask));
  if (mask[0]) out.Set(0, std::move(of_input));
  if (mask[1]) out.Set(1, std::move(of_grid));
}
const Gradient sampler_2d_grad{"grid_sampler_2d",
                               ForAll({"input", "grid"}, SamplerGrad<grid_sampler_2d_backward>)};
const Gradient sampler_3d_grad{"grid_sampler_3d",
                               ForAll({"input", "grid"}, SamplerGrad<grid_sampler_3d_backward>)};

}  // namespace
}  // namespace sy
