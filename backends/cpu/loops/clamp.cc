// a limited to bounds.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/compare.h"

SY_CPU_LOOPS(clamp, f::Clamp, Ternary, kIntegers | kHalves | kFloats, 0)
