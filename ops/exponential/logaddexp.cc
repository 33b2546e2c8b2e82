// log(exp(self) + exp(other)), without overflow on the way.
//   self, other: floating or complex, sizes that broadcast, dtypes that promote   →   common sizes
//   and dtype
// Errors: kNotImplemented for integers and bool.
// Example: sy::logaddexp(a, b)
// Source: ATen logaddexp.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator logaddexp_op{"logaddexp(Tensor self, Tensor other) -> Tensor",
                            BinaryOf<kFloatingTypes | kComplexTypes>, kOut, kFormula<f::LogAddExp>};

}  // namespace sy
