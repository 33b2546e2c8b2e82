// a + b, and a + alpha * b.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/arithmetic.h"

SY_CPU_LOOPS(add, f::Add, Binary, kBool | kIntegers | kHalves | kFloats | kComplexes, kComplex32)
SY_CPU_LOOPS(add_scaled, f::AddScaled, Ternary, kBool | kIntegers | kFloats | kComplexes,
             kHalves | kComplex32)
