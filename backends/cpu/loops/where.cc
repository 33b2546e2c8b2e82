// a where a mask holds, else b; of the bits, whatever they mean.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/compare.h"

SY_CPU_LOOPS(where, f::Where, Select, kAllTypes, 0)
SY_CPU_KERNEL(where, "where.self")
