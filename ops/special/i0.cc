// Modified Bessel function of the first kind, of order 0, of each element.
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::i0(x)
// Source: ATen i0, special_i0.
#include "switchyard/ops/formulas/library.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator i0_op{"i0(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kInPlace | kOut,
                     kFormula<f::BesselI0>};
const Operator special_i0_op{"special_i0(Tensor self) -> Tensor",
                             SameKernels("i0", UnaryFloatOf<kRealNumbers>), kOut};

}  // namespace sy
