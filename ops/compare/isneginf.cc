// Whether each element is negative infinity.
//   self: any sizes, real   →   bool, sizes of self; out=: 0 and 1 in its dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::isneginf(x)
// Source: ATen isneginf.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator isneginf_op{"isneginf(Tensor self) -> Tensor", TestOf<kRealNumbers>, kOut,
                           kFormula<f::IsNegInf>};

}  // namespace sy
