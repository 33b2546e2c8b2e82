// Largest elements, alone and with their positions.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(max, f::Max, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_REDUCTION(max_at, f::MaxAt, kBool | kIntegers | kHalves | kFloats, 0)
