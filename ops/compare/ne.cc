// Whether each element of self is different from the one of `other`. NaN differs from everything.
//   self, other: sizes that broadcast, dtypes that promote   →   bool, common sizes; in place and
//   out=: 0 and 1 in their dtype
// Errors: kInvalidArgument when sizes do not broadcast.
// Example: sy::ne(a, b)
// Source: ATen ne, not_equal.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator ne_op{"ne.Tensor(Tensor self, Tensor other) -> Tensor", CompareShape,
                     kInPlace | kOut, kFormula<f::Ne>};
const Operator ne_scalar_op{"ne.Scalar(Tensor self, Scalar other) -> Tensor",
                            WithNumber<1>("ne.Tensor", CompareShape), kInPlace | kOut};
const Operator not_equal_op{"not_equal.Tensor(Tensor self, Tensor other) -> Tensor",
                            SameKernels("ne.Tensor", CompareShape), kInPlace | kOut};
const Operator not_equal_scalar_op{"not_equal.Scalar(Tensor self, Scalar other) -> Tensor",
                                   WithNumber<1>("ne.Tensor", CompareShape), kInPlace | kOut};

}  // namespace sy
