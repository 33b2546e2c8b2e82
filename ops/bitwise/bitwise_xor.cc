// Bitwise exclusive or of each element of self and `other`; for bool, logical.
//   self, other: integers or bool, sizes that broadcast   →   common sizes and dtype
// Errors: kNotImplemented for floating and complex tensors.
// Example: sy::bitwise_xor(a, b)
// Source: ATen bitwise_xor.
#include "switchyard/ops/formulas/bitwise.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator bitwise_xor_op{"bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor",
                              BitwiseShape, kInPlace | kOut, kFormula<f::BitwiseXor>};
const Operator bitwise_xor_scalar_op{"bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor",
                                     WithNumber<1>("bitwise_xor.Tensor", BitwiseShape),
                                     kInPlace | kOut};
const Operator bitwise_xor_of_scalar_op{
    "bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    WithNumber<0>("bitwise_xor.Tensor", BitwiseShape),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
