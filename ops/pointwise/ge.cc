// Whether each element of self is at least the one of `other`.
//   self, other: sizes that broadcast, dtypes that promote   →   bool, common sizes; in place and
//   out=: 0 and 1 in their dtype
// Errors: kInvalidArgument when sizes do not broadcast, and for complex numbers.
// Example: sy::ge(a, b)
// Source: ATen ge.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator ge_op{"ge.Tensor(Tensor self, Tensor other) -> Tensor", CompareOrderedRule,
                     kInPlace | kOut};
const Operator ge_scalar_op{"ge.Scalar(Tensor self, Scalar other) -> Tensor",
                            WithNumber<1>("ge.Tensor", CompareOrderedRule), kInPlace | kOut};

}  // namespace sy
