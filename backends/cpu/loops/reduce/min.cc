// Smallest elements, alone and with their positions.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(min, f::Min, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_REDUCTION(min_at, f::MinAt, kBool | kIntegers | kHalves | kFloats, 0)
