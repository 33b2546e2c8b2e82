// sqrt(a).
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/transcendental.h"

SY_CPU_LOOPS(sqrt, f::Sqrt, Unary, kHalves | kFloats | kComplexes, 0)
SY_CPU_KERNEL(sqrt, "sqrt")
