// Logarithm of the magnitude of the gamma function at each element; inf at 0 and at negative
// integers.
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::lgamma(x)
// Source: ATen lgamma, special_gammaln.
#include "switchyard/ops/formulas/special.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator lgamma_op{"lgamma(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                         kInPlace | kOut, kFormula<f::Lgamma>};
const Operator special_gammaln_op{"special_gammaln(Tensor self) -> Tensor",
                                  SameKernels("lgamma", UnaryFloatOf<kRealNumbers>), kOut};

}  // namespace sy
