// Remainder of each element of self divided by `other`, with the quotient rounded down: it has the
// sign of other, as Python's %.
//   self, other: real and not bool, sizes that broadcast, dtypes that promote   →   common sizes
//   and dtype
// Errors: kInvalidValue when an integer is divided by 0; kNotImplemented for bool and complex.
// Example: sy::remainder(a, b)
// Source: ATen remainder.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator remainder_op{"remainder.Tensor(Tensor self, Tensor other) -> Tensor",
                            BinaryOf<kIntegerTypes | kFloatingTypes>, kInPlace | kOut};
const Operator remainder_scalar_op{
    "remainder.Scalar(Tensor self, Scalar other) -> Tensor",
    WithNumber<1>("remainder.Tensor", BinaryOf<kIntegerTypes | kFloatingTypes>), kInPlace | kOut};
const Operator remainder_of_scalar_op{
    "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    WithNumber<0>("remainder.Tensor", BinaryOf<kIntegerTypes | kFloatingTypes>),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
