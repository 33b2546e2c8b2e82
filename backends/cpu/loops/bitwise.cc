// Bits of integers.
#include "switchyard/ops/formulas/bitwise.h"

#include "switchyard/backends/cpu/simd/register.h"

SY_CPU_LOOPS(bitwise_and, f::BitwiseAnd, Binary, kBool | kIntegers | kWideUnsigned, 0)
SY_CPU_KERNEL(bitwise_and, "bitwise_and.Tensor")
SY_CPU_LOOPS(bitwise_or, f::BitwiseOr, Binary, kBool | kIntegers | kWideUnsigned, 0)
SY_CPU_KERNEL(bitwise_or, "bitwise_or.Tensor")
SY_CPU_LOOPS(bitwise_xor, f::BitwiseXor, Binary, kBool | kIntegers | kWideUnsigned, 0)
SY_CPU_KERNEL(bitwise_xor, "bitwise_xor.Tensor")
SY_CPU_LOOPS(bitwise_not, f::BitwiseNot, Unary, kBool | kIntegers, 0)
SY_CPU_KERNEL(bitwise_not, "bitwise_not")
SY_CPU_LOOPS(bitwise_left_shift, f::LeftShift, Binary, kIntegers, 0)
SY_CPU_KERNEL(bitwise_left_shift, "bitwise_left_shift.Tensor")
SY_CPU_LOOPS(bitwise_right_shift, f::RightShift, Binary, kIntegers, 0)
SY_CPU_KERNEL(bitwise_right_shift, "bitwise_right_shift.Tensor")
