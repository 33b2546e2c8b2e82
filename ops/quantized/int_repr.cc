// The integers of a quantised tensor; dequantize of a list of tensors gives the numbers of each, as
// dequantize does of one.
//   self: quantised, any sizes   →   like self, uint8, int8 or int32
// Errors: kInvalidArgument for a tensor that is not quantised.
// Example: sy::int_repr(sy::quantize_per_tensor(x, 0.1, 10, sy::DType::kUInt8))
// Source: ATen int_repr, dequantize.tensors.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator int_repr_op{"int_repr(Tensor self) -> Tensor", KeyRule::kFirst};
const Operator dequantize_tensors_op{"dequantize.tensors(Tensor[] tensors) -> Tensor[]",
                                     KeyRule::kFirst};

}  // namespace sy
