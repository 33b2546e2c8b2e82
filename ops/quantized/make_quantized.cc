// A quantised tensor of integers that are given, which are copied, or of none yet: _empty.
//   self: uint8, int8 or int32, any sizes; scale, zero_point: [size of the axis] per channel   →
//   like self, quantised
// Errors: kInvalidArgument for other dtypes, and scales that do not fit the axis.
// Example: sy::_make_per_tensor_quantized_tensor(sy::to(x, sy::DType::kInt8), 0.1, 0)
// Source: ATen _make_per_tensor_quantized_tensor, _make_per_channel_quantized_tensor,
// _empty_affine_quantized, _empty_per_channel_affine_quantized.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator make_per_tensor_op{
    "_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) -> Tensor",
    KeyRule::kFirst};
const Operator make_per_channel_op{
    "_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, int axis) -> "
    "Tensor",
    KeyRule::kFirst};
const Operator empty_affine_op{
    "_empty_affine_quantized(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None, float scale=1., int zero_point=0, MemoryFormat? "
    "memory_format=0) -> Tensor"};
const Operator empty_per_channel_op{
    "_empty_per_channel_affine_quantized(SymInt[] size, *, Tensor scales, Tensor zero_points, int "
    "axis, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=0) -> Tensor"};

}  // namespace sy
