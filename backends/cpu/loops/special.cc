// Error functions and the logarithm of the gamma function.
#include "switchyard/ops/formulas/special.h"

#include "switchyard/backends/cpu/simd/register.h"

SY_CPU_LOOPS(erf, f::Erf, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(erf, "erf")
SY_CPU_LOOPS(erfc, f::Erfc, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(erfc, "erfc")
SY_CPU_LOOPS(lgamma, f::Lgamma, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(lgamma, "lgamma")
SY_CPU_LOOPS(ndtr, f::Ndtr, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(ndtr, "special_ndtr")
