// log(a).
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/transcendental.h"

SY_CPU_LOOPS(log, f::Log, Unary, kHalves | kFloats | kComplexes, 0)
SY_CPU_KERNEL(log, "log")
