// a / b: exact, rounded towards 0, rounded down.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/arithmetic.h"

SY_CPU_LOOPS(div, f::Div, Binary, kHalves | kFloats | kComplexes, 0)
SY_CPU_KERNEL(div, "div.Tensor", kKept)
SY_CPU_LOOPS(div_trunc, f::DivTrunc, Binary, kIntegers | kHalves | kFloats, 0)
SY_CPU_LOOPS(div_floor, f::DivFloor, Binary, kIntegers | kHalves | kFloats, 0)
