// a * b; logical and for bool.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/arithmetic.h"

SY_CPU_LOOPS(mul, f::Mul, Binary,
             kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | kFloat8s)
SY_CPU_KERNEL(mul, "mul.Tensor", kKept)
