// The larger one of a and b.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/compare.h"

SY_CPU_LOOPS(maximum, f::Maximum, Binary, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(maximum, "maximum")
