// Each element of self divided by 2 to the power `other`, rounded down: bits shifted to the right.
// 0 or -1, by the sign, where `other` is negative or not below the number of bits.
//   self, other: integers, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but integers.
// Example: sy::bitwise_right_shift(a, b)
// Source: ATen bitwise_right_shift.
#include "switchyard/ops/formulas/bitwise.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator bitwise_right_shift_op{
    "bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor", BinaryOf<kIntegerTypes>,
    kInPlace | kOut, kFormula<f::RightShift>};
const Operator bitwise_right_shift_scalar_op{
    "bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
    WithNumber<1>("bitwise_right_shift.Tensor", BinaryOf<kIntegerTypes>), kInPlace | kOut};
const Operator bitwise_right_shift_of_scalar_op{
    "bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    WithNumber<0>("bitwise_right_shift.Tensor", BinaryOf<kIntegerTypes>),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
