// Whether a is 0.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/compare.h"

SY_CPU_LOOPS(logical_not, f::LogicalNot, Test, kBool | kIntegers | kHalves | kFloats | kComplexes,
             0)
SY_CPU_KERNEL(logical_not, "logical_not")
