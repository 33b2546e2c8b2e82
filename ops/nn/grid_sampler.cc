// Values of images at positions between their elements.
//   input: [n, c, h, w] or [n, c, d, h, w], floating; grid: [n, .., 2] or [n, .., 3] of as many
//   dimensions and input's dtype, each x, y (, z) from -1 to 1 over the image: the centres of the
//   elements at its ends with align_corners, else their outer edges   →   [n, c, ..]
//   interpolation_mode: 0 linear, 1 nearest, 2 cubic (of 4-d input alone); padding_mode: what lies
//   outside: 0 zeros, 1 the border, 2 reflections
// Errors: kInvalidArgument when ranks, sizes, dtypes or modes do not fit, or an image is empty.
// Example: sy::grid_sampler_2d(x, y, 0, 0, true)
// Source: ATen grid_sampler_2d, grid_sampler_3d, grid_sampler.
#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

template <int kDims>
void GridShape(ShapeContext& r, const TensorBase& input, const TensorBase& grid,
               int64_t interpolation_mode, int64_t padding_mode, bool /*align_corners*/) {
  const IntSpan x = input.sizes(), g = grid.sizes();
  if (input.dim() != kDims + 2 || grid.dim() != kDims + 2 || g[kDims + 1] != kDims || x[0] != g[0])
    r.Fail({"input must be [n, c, ..] of ", kDims, " dimensions, grid [n, .., ", kDims,
            "], got sizes ", x, " and ", g});
  RequireDType(r, input, kFloatingTypes, "input");
  RequireSameDType(r, input, grid, "input", "grid");
  if (std::any_of(x.begin() + 2, x.end(), [](int64_t n) { return n == 0; }))
    r.Fail({"images must not be empty, got sizes ", x});
  if (interpolation_mode < 0 || interpolation_mode > (kDims == 2 ? 2 : 1))
    r.Fail({"interpolation_mode must be 0 to ", kDims == 2 ? 2 : 1, ", got ", interpolation_mode});
  if (padding_mode < 0 || padding_mode > 2)
    r.Fail({"padding_mode must be 0 to 2, got ", padding_mode});
  int64_t* sizes = r.Ints(kDims + 2);
  sizes[0] = x[0];
  sizes[1] = x[1];
  std::copy_n(g.data() + 1, kDims, sizes + 2);
  r.Output(IntSpan(sizes, kDims + 2), input.dtype());
}

}  // namespace

const Operator grid_sampler_2d_op{
    "grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
    "align_corners) -> Tensor",
    GridShape<2>, kOut};
const Operator grid_sampler_3d_op{
    "grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
    "align_corners) -> Tensor",
    GridShape<3>, kOut};

const Operator grid_sampler_op{
    "grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
    "align_corners) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
