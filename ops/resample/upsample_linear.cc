// Images of other sizes by linear interpolation between neighbours along each dimension, and what
// that passes back. uint8 is computed in integers and rounded after each dimension.
//   self: [n, c, ..] with 1, 2 or 3 last dimensions, floating, with 2 uint8 too; output_size:
//   theirs; scales: outputs to inputs, which positions follow instead of the sizes' ratio where
//   they are given   →   [n, c, output_size]; backward: grad_output has these sizes, the result
//   input_size
//   vec: either the sizes or the scale factors, by which sizes are multiplied and rounded down
//   align_corners: the centres of the outermost elements keep their places, else their outer edges
// Errors: kInvalidArgument for other ranks and numbers of sizes, sizes below 1, no channels,
// another grad_output, and both or none of vec's; kNotImplemented for other dtypes.
// Example: sy::upsample_bilinear2d(x, {4, 4}, false)
// Source: ATen upsample_linear1d, upsample_bilinear2d, upsample_trilinear3d,
// upsample_linear1d_backward, upsample_bilinear2d_backward, upsample_trilinear3d_backward.
#include "switchyard/ops/resample/upsample.h"

namespace sy {

const Operator upsample_linear1d_op{
    "upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None) "
    "-> Tensor",
    WeightedShape<kFloatingTypes, Factor>, kOut};
const Operator upsample_linear1d_vec_op{
    "upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? "
    "scale_factors) -> Tensor",
    KeyRule::kFirst};
const Operator upsample_linear1d_backward_op{
    "upsample_linear1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, "
    "bool align_corners, float? scales=None) -> Tensor",
    WeightedBackwardShape<kFloatingTypes, true, Factor>,
    Out("upsample_linear1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, "
        "SymInt[3] input_size, bool align_corners, float? scales=None, *, Tensor(a!) grad_input) "
        "-> Tensor(a!)")};
const Operator upsample_bilinear2d_op{
    "upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? "
    "scales_h=None, float? scales_w=None) -> Tensor",
    WeightedShape<kByteOrFloatingTypes, Factor, Factor>, kOut};
const Operator upsample_bilinear2d_vec_op{
    "upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? "
    "scale_factors) -> Tensor",
    KeyRule::kFirst,
    Out("upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
        "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)") |
        Tags(OperatorTag::kRowMajorOut)};
const Operator upsample_bilinear2d_backward_op{
    "upsample_bilinear2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, "
    "bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
    WeightedBackwardShape<kFloatingTypes, true, Factor, Factor>,
    Out("upsample_bilinear2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
        "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
        "Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator upsample_trilinear3d_op{
    "upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? "
    "scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
    WeightedShape<kFloatingTypes, Factor, Factor, Factor>, kOut};
const Operator upsample_trilinear3d_vec_op{
    "upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? "
    "scale_factors) -> Tensor",
    KeyRule::kFirst};
const Operator upsample_trilinear3d_backward_op{
    "upsample_trilinear3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] "
    "input_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? "
    "scales_w=None) -> Tensor",
    WeightedBackwardShape<kFloatingTypes, true, Factor, Factor, Factor>,
    Out("upsample_trilinear3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, "
        "SymInt[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, "
        "float? scales_w=None, *, Tensor(a!) grad_input) -> Tensor(a!)")};

}  // namespace sy
