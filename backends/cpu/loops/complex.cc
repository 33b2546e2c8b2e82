// Complex numbers of their parts.
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/trigonometric.h"

SY_CPU_LOOPS(conj_physical, f::Conj, Unary, kComplexes, kComplex32)
SY_CPU_KERNEL(conj_physical, "conj_physical")
SY_CPU_LOOPS(complex, f::MakeComplex, ToComplex, kFloats, Bit(DType::kFloat16))
SY_CPU_KERNEL(complex, "complex")
SY_CPU_LOOPS(polar, f::Polar, ToComplex, kFloats, 0)
SY_CPU_KERNEL(polar, "polar")
