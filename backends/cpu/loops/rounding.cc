// Roundings; integers are copied (kernels/round.cc). Remainders.
#include "switchyard/ops/formulas/rounding.h"

#include "switchyard/backends/cpu/simd/register.h"

SY_CPU_LOOPS(ceil, f::Ceil, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(ceil, "ceil")
SY_CPU_LOOPS(floor, f::Floor, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(floor, "floor")
SY_CPU_LOOPS(trunc, f::Trunc, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(trunc, "trunc")
SY_CPU_LOOPS(round, f::Round, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(round, "round")
SY_CPU_LOOPS(round_to_parts, f::RoundToParts, UnaryWith1, kHalves | kFloats, 0)
SY_CPU_LOOPS(round_to_multiples, f::RoundToMultiples, UnaryWith1, kHalves | kFloats, 0)
SY_CPU_LOOPS(frac, f::Frac, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(frac, "frac")
SY_CPU_LOOPS(fmod, f::Fmod, Binary, kIntegers | kHalves | kFloats, 0)
SY_CPU_LOOPS(remainder, f::Remainder, Binary, kIntegers | kHalves | kFloats, 0)
