// Images of other sizes by cubic convolution (a = -0.75) of 4 neighbours along each dimension, and
// what that passes back. uint8 is computed in integers and rounded after each dimension.
//   self: [n, c, ..] with 2 last dimensions, floating or uint8; output_size: theirs; scales:
//   outputs to inputs, which positions follow instead of the sizes' ratio where they are given   →
//   [n, c, output_size]; backward: grad_output has these sizes, floating, the result input_size
//   vec: either the sizes or the scale factors, by which sizes are multiplied and rounded down
//   align_corners: the centres of the outermost elements keep their places, else their outer edges
// Errors: kInvalidArgument for other ranks and numbers of sizes, sizes below 1, no channels,
// another grad_output, and both or none of vec's; kNotImplemented for other dtypes.
// Example: sy::upsample_bicubic2d(x, {4, 4}, false)
// Source: ATen upsample_bicubic2d, upsample_bicubic2d_backward.
#include "switchyard/ops/resample/upsample.h"

namespace sy {

const Operator upsample_bicubic2d_op{
    "upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, float? "
    "scales_h=None, float? scales_w=None) -> Tensor",
    WeightedShape<kByteOrFloatingTypes, Factor, Factor>, kOut};
const Operator upsample_bicubic2d_vec_op{
    "upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? "
    "scale_factors) -> Tensor",
    KeyRule::kFirst};
const Operator upsample_bicubic2d_backward_op{
    "upsample_bicubic2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, "
    "bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
    WeightedBackwardShape<kFloatingTypes, false, Factor, Factor>,
    Out("upsample_bicubic2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
        "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
        "Tensor(a!) grad_input) -> Tensor(a!)")};

}  // namespace sy
