// Relations, logic, and the larger and smaller of two numbers.
#include "switchyard/ops/formulas/compare.h"

#include "switchyard/backends/cpu/simd/register.h"

SY_CPU_LOOPS(eq, f::Eq, Compare, kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | kFloat8s)
SY_CPU_KERNEL(eq, "eq.Tensor")
SY_CPU_LOOPS(ne, f::Ne, Compare, kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | kFloat8s)
SY_CPU_KERNEL(ne, "ne.Tensor")
SY_CPU_LOOPS(lt, f::Lt, Compare, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(lt, "lt.Tensor")
SY_CPU_LOOPS(le, f::Le, Compare, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(le, "le.Tensor")
SY_CPU_LOOPS(gt, f::Gt, Compare, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(gt, "gt.Tensor")
SY_CPU_LOOPS(ge, f::Ge, Compare, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(ge, "ge.Tensor")
SY_CPU_LOOPS(logical_not, f::LogicalNot, Test, kBool | kIntegers | kHalves | kFloats | kComplexes,
             0)
SY_CPU_KERNEL(logical_not, "logical_not")
SY_CPU_LOOPS(logical_and, f::LogicalAnd, Compare,
             kBool | kIntegers | kHalves | kFloats | kComplexes, 0)
SY_CPU_KERNEL(logical_and, "logical_and")
SY_CPU_LOOPS(logical_or, f::LogicalOr, Compare, kBool | kIntegers | kHalves | kFloats | kComplexes,
             0)
SY_CPU_KERNEL(logical_or, "logical_or")
SY_CPU_LOOPS(logical_xor, f::LogicalXor, Compare,
             kBool | kIntegers | kHalves | kFloats | kComplexes, 0)
SY_CPU_KERNEL(logical_xor, "logical_xor")
SY_CPU_LOOPS(maximum, f::Maximum, Binary, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(maximum, "maximum")
SY_CPU_LOOPS(minimum, f::Minimum, Binary, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(minimum, "minimum")
SY_CPU_LOOPS(fmax, f::Fmax, Binary, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(fmax, "fmax")
SY_CPU_LOOPS(fmin, f::Fmin, Binary, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(fmin, "fmin")
SY_CPU_LOOPS(clamp, f::Clamp, Ternary, kIntegers | kHalves | kFloats, 0)
SY_CPU_LOOPS(where, f::Where, Select, kAllTypes, 0)
SY_CPU_KERNEL(where, "where.self")
