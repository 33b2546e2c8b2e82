// Smallest elements, alone and with their positions.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(min, f::Min)
SY_CPU_REDUCTION(min_at, f::MinAt)
