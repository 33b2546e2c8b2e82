// Sums, products, quotients, and their combinations.
#include "switchyard/ops/formulas/arithmetic.h"

#include "switchyard/backends/cpu/simd/register.h"

SY_CPU_LOOPS(add, f::Add, Binary, kBool | kIntegers | kHalves | kFloats | kComplexes, kComplex32)
SY_CPU_LOOPS(add_scaled, f::AddScaled, Ternary, kBool | kIntegers | kHalves | kFloats | kComplexes,
             kComplex32)
SY_CPU_LOOPS(sub, f::Sub, Binary, kIntegers | kHalves | kFloats | kComplexes, kComplex32)
SY_CPU_LOOPS(mul, f::Mul, Binary,
             kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | kFloat8s)
SY_CPU_KERNEL(mul, "mul.Tensor", kKept)
SY_CPU_LOOPS(div, f::Div, Binary, kHalves | kFloats | kComplexes, 0)
SY_CPU_KERNEL(div, "div.Tensor", kKept)
SY_CPU_LOOPS(div_trunc, f::DivTrunc, Binary, kIntegers | kHalves | kFloats, 0)
SY_CPU_LOOPS(div_floor, f::DivFloor, Binary, kIntegers | kHalves | kFloats, 0)
SY_CPU_LOOPS(neg, f::Neg, Unary, kIntegers | kHalves | kFloats | kComplexes, kComplex32)
SY_CPU_KERNEL(neg, "neg")
SY_CPU_LOOPS(abs, f::Abs, ToReal, kIntegers | kHalves | kFloats | kComplexes, kComplex32 | kFloat8s)
SY_CPU_KERNEL(abs, "abs")
SY_CPU_LOOPS(addcmul, f::AddProduct, TernaryWith1, kIntegers | kHalves | kFloats | kComplexes,
             kComplex32)
SY_CPU_KERNEL(addcmul, "addcmul")
SY_CPU_LOOPS(addcdiv, f::AddQuotient, TernaryWith1, kHalves | kFloats | kComplexes, 0)
SY_CPU_KERNEL(addcdiv, "addcdiv")
