// The magnitude of a.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/arithmetic.h"

SY_CPU_LOOPS(abs, f::Abs, ToReal, kIntegers | kHalves | kFloats | kComplexes, kComplex32 | kFloat8s)
SY_CPU_KERNEL(abs, "abs")
