// Bitwise or of each element of self and `other`; for bool, logical.
//   self, other: integers or bool, sizes that broadcast, dtypes that promote   →   common sizes and
//   dtype
// Errors: kNotImplemented for floating and complex tensors.
// Example: sy::bitwise_or(a, b)
// Source: ATen bitwise_or.
#include "switchyard/ops/formulas/bitwise.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator bitwise_or_op{"bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", BitwiseShape,
                             kInPlace | kOut, kFormula<f::BitwiseOr>};
const Operator bitwise_or_scalar_op{"bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor",
                                    WithNumber<1>("bitwise_or.Tensor", BitwiseShape),
                                    kInPlace | kOut};
const Operator bitwise_or_of_scalar_op{
    "bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    WithNumber<0>("bitwise_or.Tensor", BitwiseShape),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
