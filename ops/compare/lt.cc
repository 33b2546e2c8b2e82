// Whether each element of self is less than the one of `other`.
//   self, other: sizes that broadcast, dtypes that promote   →   bool, common sizes; in place and
//   out=: 0 and 1 in their dtype
// Errors: kInvalidArgument when sizes do not broadcast, and for complex numbers.
// Example: sy::lt(a, b)
// Source: ATen lt, less.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator lt_op{"lt.Tensor(Tensor self, Tensor other) -> Tensor", CompareOrderedShape,
                     kInPlace | kOut, kFormula<f::Lt>};
const Operator lt_scalar_op{"lt.Scalar(Tensor self, Scalar other) -> Tensor",
                            WithNumber<1>("lt.Tensor", CompareOrderedShape), kInPlace | kOut};
const Operator less_op{"less.Tensor(Tensor self, Tensor other) -> Tensor",
                       SameKernels("lt.Tensor", CompareOrderedShape), kInPlace | kOut};
const Operator less_scalar_op{"less.Scalar(Tensor self, Scalar other) -> Tensor",
                              WithNumber<1>("lt.Tensor", CompareOrderedShape), kInPlace | kOut};

}  // namespace sy
