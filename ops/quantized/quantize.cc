// Numbers as integers that stand for them: integer = round(number / scale) + zero_point, to even,
// within what the dtype holds; NaN gives the highest of uint8 and int8, the lowest of int32.
// Per channel, each position along `axis` has a scale and a zero point of its own; dynamic ones are
// found from the least and the largest number.
//   self: float32, any sizes; scale: > 0 in use; scales, zero_points: [size of the axis], floating
//   zero points are kept as such; dtype: uint8, int8 or int32 (quint8, qint8, qint32)
//   →   like self, quantised (core/quantizer.h)
// Errors: kInvalidArgument for another dtype of self, another dtype, a zero point out of its range,
// and scales that do not fit the axis; kOutOfRange for the axis.
// Example: sy::quantize_per_tensor(x, 0.1, 10, sy::DType::kUInt8)
// Source: ATen quantize_per_tensor, quantize_per_tensor_dynamic, quantize_per_channel.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator quantize_per_tensor_op{
    "quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) -> Tensor",
    KeyRule::kFirst};
const Operator quantize_per_tensor_tensor_qparams_op{
    "quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, ScalarType "
    "dtype) -> Tensor",
    KeyRule::kFirst};
const Operator quantize_per_tensor_tensors_op{
    "quantize_per_tensor.tensors(Tensor[] tensors, Tensor scales, Tensor zero_points, ScalarType "
    "dtype) -> Tensor[]",
    KeyRule::kFirst};
const Operator quantize_per_tensor_dynamic_op{
    "quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range) -> Tensor",
    KeyRule::kFirst};
const Operator quantize_per_channel_op{
    "quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, ScalarType "
    "dtype) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
