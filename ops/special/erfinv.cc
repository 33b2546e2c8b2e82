// Inverse of erf; infinite at -1 and 1, NaN beyond.
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::erfinv(x)
// Source: ATen erfinv, special_erfinv.
#include "switchyard/ops/formulas/library.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator erfinv_op{"erfinv(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                         kInPlace | kOut, kFormula<f::ErfInv>};
const Operator special_erfinv_op{"special_erfinv(Tensor self) -> Tensor",
                                 SameKernels("erfinv", UnaryFloatOf<kRealNumbers>), kOut};

}  // namespace sy
