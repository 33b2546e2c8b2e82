// Each element, 0 where it is below; NaN stays NaN.
//   self: any sizes, real and not bool   →   like self
// Errors: kNotImplemented for bool and complex.
// Example: sy::relu(x)
// Source: ATen relu.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator relu_op{
    "relu(Tensor self) -> Tensor", UnaryOf<kIntegerTypes | kFloatingTypes>,
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut),
    kFormula<f::Relu>};

}  // namespace sy
