// What kind of number one is, and what follows from its sign.
#include "switchyard/ops/formulas/classify.h"

#include "switchyard/backends/cpu/simd/register.h"

SY_CPU_LOOPS(isnan, f::IsNan, Test,
             kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | kFloat8s)
SY_CPU_KERNEL(isnan, "isnan")
SY_CPU_LOOPS(isinf, f::IsInf, Test,
             kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | Bit(DType::kFloat8E5M2))
SY_CPU_KERNEL(isinf, "isinf")
SY_CPU_LOOPS(isfinite, f::IsFinite, Test,
             kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | Bit(DType::kFloat8E5M2))
SY_CPU_KERNEL(isfinite, "isfinite")
SY_CPU_LOOPS(isposinf, f::IsPosInf, Test, kBool | kIntegers | kWideUnsigned | kHalves | kFloats, 0)
SY_CPU_KERNEL(isposinf, "isposinf")
SY_CPU_LOOPS(isneginf, f::IsNegInf, Test, kBool | kIntegers | kWideUnsigned | kHalves | kFloats, 0)
SY_CPU_KERNEL(isneginf, "isneginf")
SY_CPU_LOOPS(isreal, f::IsReal, Test,
             kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
             kComplex32 | kFloat8s)
SY_CPU_KERNEL(isreal, "isreal")
SY_CPU_LOOPS(signbit, f::SignBit, Test, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(signbit, "signbit")
SY_CPU_LOOPS(sgn, f::Sgn, Unary, kBool | kIntegers | kHalves | kFloats | kComplexes, kComplex32)
SY_CPU_KERNEL(sgn, "sgn")
SY_CPU_LOOPS(nan_to_num, f::NanToNum, UnaryWith3, kHalves | kFloats | kComplexes, 0)
SY_CPU_LOOPS(heaviside, f::Heaviside, Binary, kBool | kIntegers | kHalves | kFloats, 0)
SY_CPU_KERNEL(heaviside, "heaviside")
SY_CPU_LOOPS(copysign, f::Copysign, Binary, kHalves | kFloats, 0)
SY_CPU_KERNEL(copysign, "copysign.Tensor")
