// Each element of self multiplied by 2 to the power `other`: bits shifted to the left. 0 where
// `other` is negative or not below the number of bits.
//   self, other: integers, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but integers.
// Example: sy::bitwise_left_shift(a, b)
// Source: ATen bitwise_left_shift.
#include "switchyard/ops/formulas/bitwise.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator bitwise_left_shift_op{
    "bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor", BinaryOf<kIntegerTypes>,
    kInPlace | kOut, kFormula<f::LeftShift>};
const Operator bitwise_left_shift_scalar_op{
    "bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
    WithNumber<1>("bitwise_left_shift.Tensor", BinaryOf<kIntegerTypes>), kInPlace | kOut};
const Operator bitwise_left_shift_of_scalar_op{
    "bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    WithNumber<0>("bitwise_left_shift.Tensor", BinaryOf<kIntegerTypes>),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
