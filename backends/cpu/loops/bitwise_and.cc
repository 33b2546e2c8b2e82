// a & b.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/bitwise.h"

SY_CPU_LOOPS(bitwise_and, f::BitwiseAnd, Binary, kBool | kIntegers | kWideUnsigned, 0)
SY_CPU_KERNEL(bitwise_and, "bitwise_and.Tensor")
