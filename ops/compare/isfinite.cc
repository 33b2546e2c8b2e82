// Whether each element is neither infinite nor NaN; a complex one, whether both parts are so.
//   self: any sizes   →   bool, sizes of self
// Example: sy::isfinite(x)
// Source: ATen isfinite.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator isfinite_op{
    "isfinite(Tensor self) -> Tensor", TestSameShape, {}, kFormula<f::IsFinite>};

}  // namespace sy
