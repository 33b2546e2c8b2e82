// Whether each element of self is greater than the one of `other`.
//   self, other: sizes that broadcast, dtypes that promote   →   bool, common sizes; in place and
//   out=: 0 and 1 in their dtype
// Errors: kInvalidArgument when sizes do not broadcast, and for complex numbers.
// Example: sy::gt(a, b)
// Source: ATen gt, greater.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator gt_op{"gt.Tensor(Tensor self, Tensor other) -> Tensor", CompareOrderedShape,
                     kInPlace | kOut, kFormula<f::Gt>};
const Operator gt_scalar_op{"gt.Scalar(Tensor self, Scalar other) -> Tensor",
                            WithNumber<1>("gt.Tensor", CompareOrderedShape), kInPlace | kOut};
const Operator greater_op{"greater.Tensor(Tensor self, Tensor other) -> Tensor",
                          SameKernels("gt.Tensor", CompareOrderedShape), kInPlace | kOut};
const Operator greater_scalar_op{"greater.Scalar(Tensor self, Scalar other) -> Tensor",
                                 WithNumber<1>("gt.Tensor", CompareOrderedShape), kInPlace | kOut};

}  // namespace sy
