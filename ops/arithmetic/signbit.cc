// Whether each element has its sign bit set: it is below 0, -0, or a NaN with that bit.
//   self: any sizes, real   →   bool, sizes of self; out=: 0 and 1 in its dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::signbit(x)
// Source: ATen signbit.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator signbit_op{"signbit(Tensor self) -> Tensor",
                          TestOf<kIntegerTypes | kFloatingTypes | Bit(DType::kBool)>, kOut,
                          kFormula<f::SignBit>};

}  // namespace sy
