// Whether a is equal to b.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/compare.h"

SY_CPU_LOOPS(eq, f::Eq, Compare, kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | kFloat8s)
SY_CPU_KERNEL(eq, "eq.Tensor")
