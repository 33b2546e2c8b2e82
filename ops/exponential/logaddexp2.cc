// log2(2^self + 2^other), without overflow on the way.
//   self, other: floating, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::logaddexp2(a, b)
// Source: ATen logaddexp2.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator logaddexp2_op{"logaddexp2(Tensor self, Tensor other) -> Tensor",
                             BinaryOf<kFloatingTypes>, kOut, kFormula<f::LogAddExp2>};

}  // namespace sy
