// Bitwise and of each element of self and `other`; for bool, logical.
//   self, other: integers or bool, sizes that broadcast   →   common sizes and dtype
// Errors: kNotImplemented for floating and complex tensors.
// Example: sy::bitwise_and(a, b)
// Source: ATen bitwise_and.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator bitwise_and_op{"bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor",
                              BitwiseRule, kInPlace | kOut};
const Operator bitwise_and_scalar_op{"bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor",
                                     WithNumber<1>("bitwise_and.Tensor", BitwiseRule),
                                     kInPlace | kOut};
const Operator bitwise_and_of_scalar_op{
    "bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    WithNumber<0>("bitwise_and.Tensor", BitwiseRule), kOut};

}  // namespace sy
