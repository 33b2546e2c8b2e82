// Whether each element of self is at least the one of `other`.
//   self, other: sizes that broadcast, dtypes that promote   →   bool, common sizes; in place and
//   out=: 0 and 1 in their dtype
// Errors: kInvalidArgument when sizes do not broadcast, and for complex numbers.
// Example: sy::ge(a, b)
// Source: ATen ge, greater_equal.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator ge_op{"ge.Tensor(Tensor self, Tensor other) -> Tensor", CompareOrderedShape,
                     kInPlace | kOut, kFormula<f::Ge>};
const Operator ge_scalar_op{"ge.Scalar(Tensor self, Scalar other) -> Tensor",
                            WithNumber<1>("ge.Tensor", CompareOrderedShape), kInPlace | kOut};
const Operator greater_equal_op{"greater_equal.Tensor(Tensor self, Tensor other) -> Tensor",
                                SameKernels("ge.Tensor", CompareOrderedShape), kInPlace | kOut};
const Operator greater_equal_scalar_op{"greater_equal.Scalar(Tensor self, Scalar other) -> Tensor",
                                       WithNumber<1>("ge.Tensor", CompareOrderedShape),
                                       kInPlace | kOut};

}  // namespace sy
