// Bitwise and of each element of self and `other`; for bool, logical.
//   self, other: integers or bool, sizes that broadcast   →   common sizes and dtype
// Errors: kNotImplemented for floating and complex tensors.
// Example: sy::bitwise_and(a, b)
// Source: ATen bitwise_and.
#include "switchyard/ops/formulas/bitwise.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator bitwise_and_op{"bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor",
                              BitwiseShape, kInPlace | kOut, kFormula<f::BitwiseAnd>};
const Operator bitwise_and_scalar_op{"bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor",
                                     WithNumber<1>("bitwise_and.Tensor", BitwiseShape),
                                     kInPlace | kOut};
const Operator bitwise_and_of_scalar_op{
    "bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    WithNumber<0>("bitwise_and.Tensor", BitwiseShape),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
