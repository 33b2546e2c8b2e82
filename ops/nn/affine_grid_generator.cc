// Grids for grid_sampler: where affine maps take the places of an image; and what they pass back.
//   theta: [n, 2, 3] or [n, 3, 4], floating; size: n, c, h, w or n, c, d, h, w; align_corners: as
//   grid_sampler's   →   [n, h, w, 2] or [n, d, h, w, 3]; backward: of such a gradient, like theta
// Errors: kInvalidArgument for sizes that do not fit.
// Example: sy::affine_grid_generator(sy::ones({1, 2, 3}), {1, 1, 2, 2}, true)
// Source: ATen affine_grid_generator, affine_grid_generator_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator affine_grid_generator_op{
    "affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator affine_grid_generator_backward_op{
    "affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
