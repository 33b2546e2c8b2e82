// Largest elements, alone and with their positions.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(max, f::Max)
SY_CPU_REDUCTION(max_at, f::MaxAt)
