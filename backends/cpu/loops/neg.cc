// -a.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/arithmetic.h"

SY_CPU_LOOPS(neg, f::Neg, Unary, kIntegers | kHalves | kFloats | kComplexes, kComplex32)
SY_CPU_KERNEL(neg, "neg")
