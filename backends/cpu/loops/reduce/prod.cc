// Products.
#include "switchyard/backends/cpu/simd/reduce_register.h"

SY_CPU_REDUCTION(prod, f::Prod)
