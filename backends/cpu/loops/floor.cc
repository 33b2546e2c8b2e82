// floor(a); integers are copied (kernels/round.cc).
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/arithmetic.h"

SY_CPU_LOOPS(floor, f::Floor, Unary, kHalves | kFloats, 0)
SY_CPU_KERNEL(floor, "floor")
