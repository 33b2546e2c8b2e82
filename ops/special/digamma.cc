// Derivative of the logarithm of the gamma function at each element; -inf at 0, NaN at negative
// integers.
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::digamma(x)
// Source: ATen digamma, special_digamma, special_psi.
#include "switchyard/ops/formulas/library.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator digamma_op{"digamma(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                          kInPlace | kOut, kFormula<f::Digamma>};
const Operator special_digamma_op{"special_digamma(Tensor self) -> Tensor",
                                  SameKernels("digamma", UnaryFloatOf<kRealNumbers>), kOut};
const Operator special_psi_op{"special_psi(Tensor self) -> Tensor",
                              SameKernels("digamma", UnaryFloatOf<kRealNumbers>), kOut};

}  // namespace sy
