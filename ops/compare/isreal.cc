// Whether each element is real: a complex one, whether its imaginary part is 0.
//   self: any sizes   →   bool, sizes of self
// Example: sy::isreal(x)
// Source: ATen isreal.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator isreal_op{"isreal(Tensor self) -> Tensor", TestSameShape, {}, kFormula<f::IsReal>};

}  // namespace sy
