// Quotient of each element of self and `other`, rounded down.
//   self, other: real and not bool, sizes that broadcast, dtypes that promote   →   common sizes
//   and dtype
// Errors: kInvalidValue when an integer is divided by 0; kNotImplemented for bool and complex.
// Example: sy::floor_divide(a, b)
// Source: ATen floor_divide.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator floor_divide_op{"floor_divide(Tensor self, Tensor other) -> Tensor",
                               BinaryOf<kIntegerTypes | kFloatingTypes>, InPlace("Tensor") | kOut};
const Operator floor_divide_scalar_op{
    "floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
    WithNumber<1>("floor_divide", BinaryOf<kIntegerTypes | kFloatingTypes>),
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
