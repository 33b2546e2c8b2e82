// Whether each element is positive infinity.
//   self: any sizes, real   →   bool, sizes of self; out=: 0 and 1 in its dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::isposinf(x)
// Source: ATen isposinf.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator isposinf_op{"isposinf(Tensor self) -> Tensor", TestOf<kRealNumbers>, kOut,
                           kFormula<f::IsPosInf>};

}  // namespace sy
