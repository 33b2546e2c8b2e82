// Error function of each element: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to it.
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::erf(x)
// Source: ATen erf, special_erf.
#include "switchyard/ops/formulas/special.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator erf_op{"erf(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kInPlace | kOut,
                      kFormula<f::Erf>};
const Operator special_erf_op{"special_erf(Tensor self) -> Tensor",
                              SameKernels("erf", UnaryFloatOf<kRealNumbers>), kOut};

}  // namespace sy
