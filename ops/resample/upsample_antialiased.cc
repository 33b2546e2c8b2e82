// Images of other sizes by linear or cubic (a = -0.5) filters, which widen where an image is made
// smaller, so that every element counts; and what that passes back. uint8 is computed in integers
// and rounded after each dimension.
//   self: [n, c, ..] with 2 last dimensions, float32, float64 or uint8; output_size: theirs;
//   scales: outputs to inputs, which positions follow instead of the sizes' ratio where they are
//   given   →   [n, c, output_size]; backward: grad_output has these sizes, floating, the result
//   input_size
//   vec: either the sizes or the scale factors, by which sizes are multiplied and rounded down
//   align_corners: the centres of the outermost elements keep their places, else their outer edges
// Errors: kInvalidArgument for other ranks and numbers of sizes, sizes below 1, no channels,
// another grad_output, and both or none of vec's; kNotImplemented for other dtypes.
// Example: sy::_upsample_bilinear2d_aa(x, {4, 4}, false)
// Source: ATen _upsample_bilinear2d_aa, _upsample_bicubic2d_aa, _upsample_bilinear2d_aa_backward,
// _upsample_bicubic2d_aa_backward.
#include "switchyard/ops/resample/upsample.h"

namespace sy {

const Operator _upsample_bilinear2d_aa_op{
    "_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? "
    "scales_h=None, float? scales_w=None) -> Tensor",
    WeightedShape<kAreaTypes, Factor, Factor>, kOut};
const Operator _upsample_bilinear2d_aa_vec_op{
    "_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? "
    "scale_factors) -> Tensor",
    KeyRule::kFirst};
const Operator _upsample_bilinear2d_aa_backward_op{
    "_upsample_bilinear2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] "
    "input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
    WeightedBackwardShape<kAreaGradTypes, true, Factor, Factor>,
    Out("_upsample_bilinear2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
        "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
        "Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator _upsample_bicubic2d_aa_op{
    "_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? "
    "scales_h=None, float? scales_w=None) -> Tensor",
    WeightedShape<kAreaTypes, Factor, Factor>, kOut};
const Operator _upsample_bicubic2d_aa_vec_op{
    "_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? "
    "scale_factors) -> Tensor",
    KeyRule::kFirst};
const Operator _upsample_bicubic2d_aa_backward_op{
    "_upsample_bicubic2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] "
    "input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
    WeightedBackwardShape<kAreaGradTypes, false, Factor, Factor>,
    Out("_upsample_bicubic2d_aa_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
        "SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, "
        "Tensor(a!) grad_input) -> Tensor(a!)")};

}  // namespace sy
