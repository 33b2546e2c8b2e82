// What the integers of a quantised tensor mean: q_scale and q_zero_point of one that has one of
// each, q_per_channel_scales, q_per_channel_zero_points and q_per_channel_axis of one that has them
// for each position along an axis. qscheme says which it is: a QScheme of ops/quantized/qscheme.h.
//   self: quantised   →   a float, an int; [size of the axis], float64 and int64, or float32 both
// Errors: kInvalidArgument for a tensor that is not quantised, or otherwise.
// Example: sy::q_scale(sy::quantize_per_tensor(x, 0.1, 10, sy::DType::kUInt8))
// Source: ATen q_scale, q_zero_point, q_per_channel_scales, q_per_channel_zero_points,
// q_per_channel_axis, qscheme.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator q_scale_op{"q_scale(Tensor self) -> float", KeyRule::kFirst};
const Operator q_zero_point_op{"q_zero_point(Tensor self) -> int", KeyRule::kFirst};
const Operator q_per_channel_scales_op{"q_per_channel_scales(Tensor self) -> Tensor",
                                       KeyRule::kFirst};
const Operator q_per_channel_zero_points_op{"q_per_channel_zero_points(Tensor self) -> Tensor",
                                            KeyRule::kFirst};
const Operator q_per_channel_axis_op{"q_per_channel_axis(Tensor self) -> int", KeyRule::kFirst};
const Operator qscheme_op{"qscheme(Tensor self) -> QScheme", KeyRule::kFirst};

}  // namespace sy
