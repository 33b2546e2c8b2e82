// x / (1 + exp(-x)) of each element x.
//   self: any sizes, floating or complex   →   like self
// Errors: kNotImplemented for integers and bool.
// Example: sy::silu(x)
// Source: ATen silu.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator silu_op{"silu(Tensor self) -> Tensor", UnaryOf<kFloatingTypes | kComplexTypes>,
                       kInPlace | kOut, kFormula<f::Silu>};

}  // namespace sy
