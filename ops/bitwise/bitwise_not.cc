// Each element with all bits inverted; for bool, logical not.
//   self: integers or bool, any sizes   →   like self
// Errors: kNotImplemented for floating and complex tensors.
// Example: sy::bitwise_not(x)
// Source: ATen bitwise_not.
#include "switchyard/ops/formulas/bitwise.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator bitwise_not_op{"bitwise_not(Tensor self) -> Tensor",
                              UnaryOf<kIntegerTypes | Bit(DType::kBool)>, kInPlace | kOut,
                              kFormula<f::BitwiseNot>};

}  // namespace sy
