// Whether each element of self is at most the one of `other`.
//   self, other: sizes that broadcast, dtypes that promote   →   bool, common sizes; in place and
//   out=: 0 and 1 in their dtype
// Errors: kInvalidArgument when sizes do not broadcast, and for complex numbers.
// Example: sy::le(a, b)
// Source: ATen le, less_equal.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator le_op{"le.Tensor(Tensor self, Tensor other) -> Tensor", CompareOrderedShape,
                     kInPlace | kOut, kFormula<f::Le>};
const Operator le_scalar_op{"le.Scalar(Tensor self, Scalar other) -> Tensor",
                            WithNumber<1>("le.Tensor", CompareOrderedShape), kInPlace | kOut};
const Operator less_equal_op{"less_equal.Tensor(Tensor self, Tensor other) -> Tensor",
                             SameKernels("le.Tensor", CompareOrderedShape), kInPlace | kOut};
const Operator less_equal_scalar_op{"less_equal.Scalar(Tensor self, Scalar other) -> Tensor",
                                    WithNumber<1>("le.Tensor", CompareOrderedShape),
                                    kInPlace | kOut};

}  // namespace sy
