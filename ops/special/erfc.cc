// 1 - erf(x) of each element x; exact where that is near 0.
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::erfc(x)
// Source: ATen erfc, special_erfc.
#include "switchyard/ops/formulas/special.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator erfc_op{"erfc(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kInPlace | kOut,
                       kFormula<f::Erfc>};
const Operator special_erfc_op{"special_erfc(Tensor self) -> Tensor",
                               SameKernels("erfc", UnaryFloatOf<kRealNumbers>), kOut};

}  // namespace sy
