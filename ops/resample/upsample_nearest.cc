// Images of other sizes by the nearest element: that at or below a position from the first edge,
// or, exact, that whose centre is nearest; and what that passes back.
//   self: [n, c, ..] with 1, 2 or 3 last dimensions, floating or uint8; output_size: theirs;
//   scales: outputs to inputs, which positions follow instead of the sizes' ratio where they are
//   given   →   [n, c, output_size]; backward: grad_output has these sizes, floating, the result
//   input_size
//   vec: either the sizes or the scale factors, by which sizes are multiplied and rounded down
// Errors: kInvalidArgument for other ranks and numbers of sizes, sizes below 1, no channels,
// another grad_output, and both or none of vec's; kNotImplemented for other dtypes.
// Example: sy::upsample_nearest2d(x, {4, 4})
// Source: ATen upsample_nearest1d, upsample_nearest2d, upsample_nearest3d,
// _upsample_nearest_exact1d, _upsample_nearest_exact2d, _upsample_nearest_exact3d,
// upsample_nearest1d_backward, upsample_nearest2d_backward, upsample_nearest3d_backward,
// _upsample_nearest_exact1d_backward, _upsample_nearest_exact2d_backward,
// _upsample_nearest_exact3d_backward.
#include "switchyard/ops/resample/upsample.h"

namespace sy {

const Operator upsample_nearest1d_op{
    "upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor",
    NearestShape<Factor>, kOut};
const Operator upsample_nearest1d_vec_op{
    "upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
    KeyRule::kFirst};
const Operator upsample_nearest1d_backward_op{
    "upsample_nearest1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, "
    "float? scales=None) -> Tensor",
    NearestBackwardShape<Factor>,
    Out("upsample_nearest1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, "
        "SymInt[3] input_size, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator upsample_nearest2d_op{
    "upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? "
    "scales_w=None) -> Tensor",
    NearestShape<Factor, Factor>, kOut};
const Operator upsample_nearest2d_vec_op{
    "upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
    KeyRule::kFirst,
    Out("upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, "
        "*, Tensor(a!) out) -> Tensor(a!)") |
        Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator upsample_nearest2d_backward_op{
    "upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, "
    "float? scales_h=None, float? scales_w=None) -> Tensor",
    NearestBackwardShape<Factor, Factor>,
    Out("upsample_nearest2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
        "SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) "
        "grad_input) -> Tensor(a!)")};
const Operator upsample_nearest3d_op{
    "upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? "
    "scales_h=None, float? scales_w=None) -> Tensor",
    NearestShape<Factor, Factor, Factor>, kOut};
const Operator upsample_nearest3d_vec_op{
    "upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
    KeyRule::kFirst};
const Operator upsample_nearest3d_backward_op{
    "upsample_nearest3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, "
    "float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
    NearestBackwardShape<Factor, Factor, Factor>,
    Out("upsample_nearest3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, "
        "SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, "
        "*, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator _upsample_nearest_exact1d_op{
    "_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor",
    NearestShape<Factor>, kOut};
const Operator _upsample_nearest_exact1d_vec_op{
    "_upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> "
    "Tensor",
    KeyRule::kFirst};
const Operator _upsample_nearest_exact1d_backward_op{
    "_upsample_nearest_exact1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] "
    "input_size, float? scales=None) -> Tensor",
    NearestBackwardShape<Factor>,
    Out("_upsample_nearest_exact1d_backward.grad_input(Tensor grad_output, SymInt[1] output_size, "
        "SymInt[3] input_size, float? scales=None, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator _upsample_nearest_exact2d_op{
    "_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? "
    "scales_w=None) -> Tensor",
    NearestShape<Factor, Factor>, kOut};
const Operator _upsample_nearest_exact2d_vec_op{
    "_upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> "
    "Tensor",
    KeyRule::kFirst};
const Operator _upsample_nearest_exact2d_backward_op{
    "_upsample_nearest_exact2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] "
    "input_size, float? scales_h=None, float? scales_w=None) -> Tensor",
    NearestBackwardShape<Factor, Factor>,
    Out("_upsample_nearest_exact2d_backward.grad_input(Tensor grad_output, SymInt[2] output_size, "
        "SymInt[4] input_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) "
        "grad_input) -> Tensor(a!)")};
const Operator _upsample_nearest_exact3d_op{
    "_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? "
    "scales_h=None, float? scales_w=None) -> Tensor",
    NearestShape<Factor, Factor, Factor>, kOut};
const Operator _upsample_nearest_exact3d_vec_op{
    "_upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> "
    "Tensor",
    KeyRule::kFirst};
const Operator _upsample_nearest_exact3d_backward_op{
    "_upsample_nearest_exact3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] "
    "input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
    NearestBackwardShape<Factor, Factor, Factor>,
    Out("_upsample_nearest_exact3d_backward.grad_input(Tensor grad_output, SymInt[3] output_size, "
        "SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, "
        "*, Tensor(a!) grad_input) -> Tensor(a!)")};

}  // namespace sy
