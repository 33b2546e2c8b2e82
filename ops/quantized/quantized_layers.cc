// Layers on quantised tensors, whose results are quantised by the scale and zero point that are
// given: linear, convolutions, sums, products and joins; pooling and what it keeps. ATen has the
// first ones in a namespace of their own, with packed weights; torch.ao.nn.quantized.functional has
// them as here.
//   input: quint8 or qint8, one scale for all; weight: qint8, one scale for all or per output
//   channel, zero points 0; bias: float32   →   like input's dtype, quantised
// Errors: kInvalidArgument for tensors that are not quantised, other dtypes and zero points, and
// sizes that do not fit.
// Example: sy::quantized_max_pool1d(sy::quantize_per_tensor(x, 0.1, 0, sy::DType::kUInt8), {2})
// Source: ATen quantized_max_pool1d, quantized_max_pool2d, quantized_batch_norm; quantized::linear,
// linear_dynamic, conv1d, conv2d, conv3d, add, mul, cat.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator quantized_linear_op{
    "quantized_linear(Tensor input, Tensor weight, Tensor? bias, float output_scale, int "
    "output_zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator quantized_linear_dynamic_op{
    "quantized_linear_dynamic(Tensor input, Tensor weight, Tensor? bias=None, bool "
    "reduce_range=False) -> Tensor",
    KeyRule::kFirst};
const Operator quantized_conv1d_op{
    "quantized_conv1d(Tensor input, Tensor weight, Tensor? bias, int[1] stride, int[1] padding, "
    "int[1] dilation, int groups, float output_scale, int output_zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator quantized_conv2d_op{
    "quantized_conv2d(Tensor input, Tensor weight, Tensor? bias, int[2] stride, int[2] padding, "
    "int[2] dilation, int groups, float output_scale, int output_zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator quantized_conv3d_op{
    "quantized_conv3d(Tensor input, Tensor weight, Tensor? bias, int[3] stride, int[3] padding, "
    "int[3] dilation, int groups, float output_scale, int output_zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator quantized_add_op{
    "quantized_add(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor", KeyRule::kFirst};
const Operator quantized_mul_op{
    "quantized_mul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor", KeyRule::kFirst};
const Operator quantized_cat_op{
    "quantized_cat(Tensor[] qx, int dim, float? scale=None, int? zero_point=None) -> Tensor",
    KeyRule::kFirst};
const Operator quantized_max_pool1d_op{
    "quantized_max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
    "int[1] dilation=[1], bool ceil_mode=False) -> Tensor",
    KeyRule::kFirst};
const Operator quantized_max_pool2d_op{
    "quantized_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
    "int[2] dilation=1, bool ceil_mode=False) -> Tensor",
    KeyRule::kFirst};
const Operator quantized_batch_norm_op{
    "quantized_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, "
    "float eps, float output_scale, int output_zero_point) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
