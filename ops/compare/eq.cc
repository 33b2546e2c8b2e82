// Whether each element of self is equal to the one of `other`. NaN equals nothing.
//   self, other: sizes that broadcast, dtypes that promote   →   bool, common sizes; in place and
//   out=: 0 and 1 in their dtype
// Errors: kInvalidArgument when sizes do not broadcast.
// Example: sy::eq(a, b)
// Source: ATen eq.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator eq_op{"eq.Tensor(Tensor self, Tensor other) -> Tensor", CompareShape,
                     kInPlace | kOut, kFormula<f::Eq>};
const Operator eq_scalar_op{"eq.Scalar(Tensor self, Scalar other) -> Tensor",
                            WithNumber<1>("eq.Tensor", CompareShape), kInPlace | kOut};

}  // namespace sy
