// Values of images at positions between their elements.
//   input: [n, c, h, w] or [n, c, d, h, w], floating; grid: [n, .., 2] or [n, .., 3] of as many
//   dimensions and input's dtype, each x, y (, z) from -1 to 1 over the image: the centres of the
//   elements at its ends with align_corners, else their outer edges   →   [n, c, ..]
//   interpolation_mode: 0 linear, 1 nearest, 2 cubic (of 4-d input alone); padding_mode: what lies
//   outside: 0 zeros, 1 the border, 2 reflections
// Errors: kInvalidArgument when ranks, sizes, dtypes or modes do not fit, or an image is empty.
// Example: sy::grid_sampler_2d(x, y, 0, 0, true)
// Source: ATen grid_sampler_2d, grid_sampler_3d, grid_sampler.
#include "switchyard/ops/nn/grid_shape.h"

namespace sy {
namespace {

template <int kDims>
void GridShape(ShapeContext& r, const TensorBase& input, const TensorBase& grid,
               int64_t interpolation_mode, int64_t padding_mode, bool /*align_corners*/) {
  r.Output(SampledSizes<kDims>(r, input, grid, interpolation_mode, padding_mode), input.dtype());
}

}  // namespace

const Operator grid_sampler_2d_op{
    "grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
    "align_corners) -> Tensor",
    GridShape<2>, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator grid_sampler_3d_op{
    "grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
    "align_corners) -> Tensor",
    GridShape<3>, kOut | Tags(OperatorTag::kRowMajorOut)};

const Operator grid_sampler_op{
    "grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
    "align_corners) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
