// Whether a <= b.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/compare.h"

SY_CPU_LOOPS(le, f::Le, Compare, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(le, "le.Tensor")
