// a - b.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/arithmetic.h"

SY_CPU_LOOPS(sub, f::Sub, Binary, kIntegers | kHalves | kFloats | kComplexes, kComplex32)
