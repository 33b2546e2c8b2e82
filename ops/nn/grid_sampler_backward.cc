// What grid_sampler passes back to the image and to the grid.
//   grad_output: grid_sampler_2d's or _3d's result's sizes; input, grid, the modes and
//   align_corners: its arguments; one dtype   →   gradients like input, without output_mask[0]
//   empty, and like grid; a grid is given no gradient by the nearest elements
// Errors: those of grid_sampler; kInvalidArgument for a gradient that does not fit, or an
// output_mask but of two.
// Example: sy::grid_sampler_2d_backward(g, x, y, 0, 0, true, std::array{true, true})
// Source: ATen grid_sampler_2d_backward, grid_sampler_3d_backward. ATen returns no tensor where
// ours is empty.
#include "switchyard/ops/nn/grid_shape.h"

namespace sy {
namespace {

template <int kDims>
void GridBackwardShape(ShapeContext& r, const TensorBase& grad_output, const TensorBase& input,
                       const TensorBase& grid, int64_t interpolation_mode, int64_t padding_mode,
                       bool /*align_corners*/, std::span<const bool> output_mask) {
  const IntSpan sizes = SampledSizes<kDims>(r, input, grid, interpolation_mode, padding_mode);
  RequireSameDType(r, input, grad_output, "input", "grad_output");
  if (!SameSizes(grad_output.sizes(), sizes))
    r.Fail({"grad_output must have sizes ", sizes, ", got ", grad_output.sizes()});
  if (output_mask.size() != 2)
    r.Fail({"output_mask must have 2 entries, got ", static_cast<int64_t>(output_mask.size())});
  if (output_mask[0]) {
    r.Output(input.sizes(), input.dtype());
  } else {
    r.Output({0}, input.dtype());
  }
  r.Output(grid.sizes(), input.dtype());
}

}  // namespace

const Operator grid_sampler_2d_backward_op{
    "grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, int "
    "interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, "
    "Tensor)",
    Outputs<2>(GridBackwardShape<2>), kOut};
const Operator grid_sampler_3d_backward_op{
    "grid_sampler_3d_backward(Tensor grad_output, Tensor input, Tensor grid, int "
    "interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, "
    "Tensor)",
    Outputs<2>(GridBackwardShape<3>), kOut};

}  // namespace sy
