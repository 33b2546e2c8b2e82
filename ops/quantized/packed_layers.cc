// Layers on quantised tensors by ATen's names, whose weights are packed once: linear_prepack and
// conv2d_prepack give a packed weight, linear and conv2d take it. It is the quantised weight, in
// memory of its own, that remembers bias and geometry; its copies and views are weights alone.
// Those that end in _relu cut off what is below 0. By string: sy::call("quantized::linear", …).
//   W, weight: qint8, one scale for all or per output channel, zero points 0; B, bias: float32;
//   X, qx: quint8 or qint8, of linear_dynamic float32   →   like X, quantised; of _dynamic float32
// Errors: kInvalidArgument for other dtypes, zero points and sizes, and for a weight that the
// layer's prepack has not given.
// Example: sy::quantize_per_tensor(x, 0.1, 0, sy::DType::kInt8)
// Source: ATen/native/quantized/library.cpp, where packed weights are objects of a class.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linear_prepack_op{"quantized::linear_prepack(Tensor W, Tensor? B=None) -> Tensor",
                                 KeyRule::kFirst};
const Operator linear_unpack_op{
    "quantized::linear_unpack(Tensor W_prepack) -> (Tensor W_origin, Tensor? B_origin)",
    KeyRule::kFirst};
const Operator linear_op{
    "quantized::linear(Tensor X, Tensor W_prepack, float Y_scale_i, int Y_zero_point_i) -> Tensor",
    KeyRule::kFirst};
const Operator linear_relu_op{
    "quantized::linear_relu(Tensor X, Tensor W_prepack, float Y_scale_i, int Y_zero_point_i) -> "
    "Tensor",
    KeyRule::kFirst};
const Operator linear_dynamic_op{
    "quantized::linear_dynamic(Tensor X, Tensor W_prepack, bool reduce_range=False) -> Tensor",
    KeyRule::kFirst};
const Operator linear_relu_dynamic_op{
    "quantized::linear_relu_dynamic(Tensor X, Tensor W_prepack, bool reduce_range=False) -> Tensor",
    KeyRule::kFirst};

const Operator conv1d_prepack_op{
    "quantized::conv1d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
    "dilation, int groups) -> Tensor",
    KeyRule::kFirst};
const Operator conv1d_unpack_op{
    "quantized::conv1d_unpack(Tensor packed_weights) -> (Tensor unpacked_weights, Tensor? "
    "B_origin)",
    KeyRule::kFirst};
const Operator conv1d_op{
    "quantized::conv1d(Tensor qx, Tensor packed_weight, float output_scale, int "
    "output_zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator conv1d_relu_op{
    "quantized::conv1d_relu(Tensor qx, Tensor packed_weight, float output_scale, int "
    "output_zero_point) -> Tensor",
    KeyRule::kFirst};

const Operator conv2d_prepack_op{
    "quantized::conv2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
    "dilation, int groups) -> Tensor",
    KeyRule::kFirst};
const Operator conv2d_unpack_op{
    "quantized::conv2d_unpack(Tensor packed_weights) -> (Tensor unpacked_weights, Tensor? "
    "B_origin)",
    KeyRule::kFirst};
const Operator conv2d_op{
    "quantized::conv2d.new(Tensor qx, Tensor packed_weight, float output_scale, int "
    "output_zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator conv2d_relu_op{
    "quantized::conv2d_relu.new(Tensor qx, Tensor packed_weight, float output_scale, int "
    "output_zero_point) -> Tensor",
    KeyRule::kFirst};

const Operator conv3d_prepack_op{
    "quantized::conv3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
    "dilation, int groups) -> Tensor",
    KeyRule::kFirst};
const Operator conv3d_unpack_op{
    "quantized::conv3d_unpack(Tensor packed_weights) -> (Tensor unpacked_weights, Tensor? "
    "B_origin)",
    KeyRule::kFirst};
const Operator conv3d_op{
    "quantized::conv3d.new(Tensor qx, Tensor packed_weight, float output_scale, int "
    "output_zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator conv3d_relu_op{
    "quantized::conv3d_relu.new(Tensor qx, Tensor packed_weight, float output_scale, int "
    "output_zero_point) -> Tensor",
    KeyRule::kFirst};

const Operator add_op{"quantized::add(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor",
                      KeyRule::kFirst};
const Operator add_relu_op{
    "quantized::add_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator mul_op{"quantized::mul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor",
                      KeyRule::kFirst};
const Operator mul_relu_op{
    "quantized::mul_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator cat_op{
    "quantized::cat(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator cat_relu_op{
    "quantized::cat_relu(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
