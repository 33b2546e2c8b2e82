// a + weight * (b - a).
#include "switchyard/ops/formulas/lerp.h"

#include "switchyard/backends/cpu/simd/register.h"

SY_CPU_LOOPS(lerp, f::Lerp, Ternary, kHalves | kFloats | kComplexes, 0)
SY_CPU_KERNEL(lerp, "lerp.Tensor", kKept)
