// Whether a < b.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/compare.h"

SY_CPU_LOOPS(lt, f::Lt, Compare, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(lt, "lt.Tensor")
