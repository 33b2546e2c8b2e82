// Whether a is not equal to b.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/compare.h"

SY_CPU_LOOPS(ne, f::Ne, Compare, kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | kFloat8s)
SY_CPU_KERNEL(ne, "ne.Tensor")
