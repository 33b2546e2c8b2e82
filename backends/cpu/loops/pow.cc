// a to the power b, and the powers that have loops of their own.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/transcendental.h"

SY_CPU_LOOPS(pow, f::Pow, Binary, kIntegers | kHalves | kFloats | kComplexes, 0)
SY_CPU_KERNEL(pow, "pow.Tensor_Tensor")
SY_CPU_LOOPS(cube, f::Cube, Unary, kIntegers | kHalves | kFloats | kComplexes, 0)
SY_CPU_LOOPS(rsqrt, f::Rsqrt, Unary, kHalves | kFloats | kComplexes, 0)
