// Whether any, and whether all, of elements of 0 and 1 are 1.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(any, f::Any)
SY_CPU_REDUCTION(all, f::All)
