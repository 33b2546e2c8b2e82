// -1, 0 or 1: the sign of each element; 0 for NaN.
//   self: any sizes, real   →   like self
// Errors: kNotImplemented for complex numbers (see sgn).
// Example: sy::sign(x)
// Source: ATen sign.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sign_op{
    "sign(Tensor self) -> Tensor",
    SameKernels("sgn", UnaryOf<kIntegerTypes | kFloatingTypes | Bit(DType::kBool)>),
    kInPlace | kOut};

}  // namespace sy
