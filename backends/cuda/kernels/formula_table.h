// The formulas that this backend computes pointwise operators with: each is compiled, by NVRTC, for
// the dtypes and layouts of the calls that come.
//
//   constexpr const FormulaDef* add = Formula("add");
//
// Owns: nothing; a table of constants. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_FORMULA_TABLE_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_FORMULA_TABLE_H_

#include <string_view>

#include "backends/cuda/kernels/types.h"

namespace sy::cuda {

// Which dtypes a formula's operands have, given the dtype T that it computes in.
enum class Signature : uint8_t {
  kSame,     // all T
  kTruth,    // inputs T, output bool
  kReal,     // inputs T, output the type of T's parts
  kComplex,  // inputs T, output the complex type whose parts are T
  kSelect,   // first input bool, all else T
};
// inputs: tensors. params: numbers, the same for all elements, after them.
struct Arity {
  Signature signature;
  int inputs, params;
};
inline constexpr Arity kUnary{Signature::kSame, 1, 0}, kBinary{Signature::kSame, 2, 0},
    kTernary{Signature::kSame, 3, 0}, kUnaryWith1{Signature::kSame, 1, 1},
    kUnaryWith2{Signature::kSame, 1, 2}, kUnaryWith3{Signature::kSame, 1, 3},
    kBinaryWith1{Signature::kSame, 2, 1}, kTernaryWith1{Signature::kSame, 3, 1},
    kTernaryWith2{Signature::kSame, 3, 2}, kTest{Signature::kTruth, 1, 0},
    kCompare{Signature::kTruth, 2, 0}, kToReal{Signature::kReal, 1, 0},
    kToComplex{Signature::kComplex, 2, 0}, kTernaryToComplex{Signature::kComplex, 3, 0},
    kChoice{Signature::kSelect, 3, 0};

struct FormulaDef {
  const char* name;
  const char* type;    // sy::f::type
  const char* header;  // switchyard/ops/formulas/header.h
  Arity arity;
  DTypeMask direct;   // dtypes that it computes in
  DTypeMask widened;  // those that it computes in a wider one
  // The header is switchyard/backends/cuda/device/header.h: of functions that the device has apart.
  bool is_of_device = false;
  constexpr DTypeMask dtypes() const { return direct | widened; }
};

inline constexpr FormulaDef kFormulas[] = {
    {"relu", "Relu", "activation", kUnary, kIntegers | kHalves | kFloats, 0},
    {"leaky_relu", "LeakyRelu", "activation", kUnaryWith1, kHalves | kFloats, 0},
    {"elu", "Elu", "activation", kUnaryWith3, kHalves | kFloats, 0},
    {"gelu", "Gelu", "activation", kUnary, kHalves | kFloats, 0},
    {"gelu_tanh", "GeluTanh", "activation", kUnary, kHalves | kFloats, 0},
    {"silu", "Silu", "activation", kUnary, kHalves | kFloats | kComplexes, 0},
    {"glu", "Glu", "activation", kBinary, kHalves | kFloats, 0},
    {"mish", "Mish", "activation", kUnary, kHalves | kFloats, 0},
    {"softplus", "Softplus", "activation", kUnaryWith2, kHalves | kFloats, 0},
    {"log_sigmoid", "LogSigmoid", "activation", kUnary, kHalves | kFloats, 0},
    {"hardsigmoid", "Hardsigmoid", "activation", kUnary, kHalves | kFloats, 0},
    {"hardswish", "Hardswish", "activation", kUnary, kHalves | kFloats, 0},
    {"hardshrink", "Hardshrink", "activation", kUnaryWith1, kHalves | kFloats, 0},
    {"softshrink", "Softshrink", "activation", kUnaryWith1, kHalves | kFloats, 0},
    {"threshold", "Threshold", "activation", kUnaryWith2, kIntegers | kHalves | kFloats, 0},
    {"prelu", "LeakyRelu", "activation", kBinary, kHalves | kFloats, 0},
    {"add", "Add", "arithmetic", kBinary, kBool | kIntegers | kHalves | kFloats | kComplexes,
     kComplex32},
    {"add_scaled", "AddScaled", "arithmetic", kTernary,
     kBool | kIntegers | kHalves | kFloats | kComplexes, kComplex32},
    {"sub", "Sub", "arithmetic", kBinary, kIntegers | kHalves | kFloats | kComplexes, kComplex32},
    {"mul", "Mul", "arithmetic", kBinary,
     kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes, kComplex32 | kFloat8s},
    {"div", "Div", "arithmetic", kBinary, kHalves | kFloats | kComplexes, 0},
    {"div_trunc", "DivTrunc", "arithmetic", kBinary, kIntegers | kHalves | kFloats, 0},
    {"div_floor", "DivFloor", "arithmetic", kBinary, kIntegers | kHalves | kFloats, 0},
    {"neg", "Neg", "arithmetic", kUnary, kIntegers | kHalves | kFloats | kComplexes, kComplex32},
    {"abs", "Abs", "arithmetic", kToReal, kIntegers | kHalves | kFloats | kComplexes,
     kComplex32 | kFloat8s},
    {"addcmul", "AddProduct", "arithmetic", kTernaryWith1,
     kIntegers | kHalves | kFloats | kComplexes, kComplex32},
    {"addcdiv", "AddQuotient", "arithmetic", kTernaryWith1, kHalves | kFloats | kComplexes, 0},
    {"add_outer", "AddOuter", "arithmetic", kTernaryWith2,
     kBool | kIntegers | kHalves | kFloats | kComplexes, 0},
    {"outer", "Outer", "arithmetic", kBinaryWith1,
     kBool | kIntegers | kHalves | kFloats | kComplexes, 0},
    {"bitwise_and", "BitwiseAnd", "bitwise", kBinary, kBool | kIntegers | kWideUnsigned, 0},
    {"bitwise_or", "BitwiseOr", "bitwise", kBinary, kBool | kIntegers | kWideUnsigned, 0},
    {"bitwise_xor", "BitwiseXor", "bitwise", kBinary, kBool | kIntegers | kWideUnsigned, 0},
    {"bitwise_not", "BitwiseNot", "bitwise", kUnary, kBool | kIntegers, 0},
    {"bitwise_left_shift", "LeftShift", "bitwise", kBinary, kIntegers, 0},
    {"bitwise_right_shift", "RightShift", "bitwise", kBinary, kIntegers, 0},
    {"isnan", "IsNan", "classify", kTest,
     kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes, kComplex32 | kFloat8s},
    {"isinf", "IsInf", "classify", kTest,
     kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
     kComplex32 | Bit(DType::kFloat8E5M2)},
    {"isfinite", "IsFinite", "classify", kTest,
     kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
     kComplex32 | Bit(DType::kFloat8E5M2)},
    {"isposinf", "IsPosInf", "classify", kTest,
     kBool | kIntegers | kWideUnsigned | kHalves | kFloats, 0},
    {"isneginf", "IsNegInf", "classify", kTest,
     kBool | kIntegers | kWideUnsigned | kHalves | kFloats, 0},
    {"isreal", "IsReal", "classify", kTest,
     kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes, kComplex32 | kFloat8s},
    {"signbit", "SignBit", "classify", kTest, kBool | kIntegers | kHalves | kFloats, 0},
    {"sgn", "Sgn", "classify", kUnary, kBool | kIntegers | kHalves | kFloats | kComplexes,
     kComplex32},
    {"nan_to_num", "NanToNum", "classify", kUnaryWith3, kHalves | kFloats | kComplexes, 0},
    {"heaviside", "Heaviside", "classify", kBinary, kBool | kIntegers | kHalves | kFloats, 0},
    {"copysign", "Copysign", "classify", kBinary, kHalves | kFloats, 0},
    {"eq", "Eq", "compare", kCompare,
     kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes, kComplex32 | kFloat8s},
    {"ne", "Ne", "compare", kCompare,
     kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes, kComplex32 | kFloat8s},
    {"lt", "Lt", "compare", kCompare, kBool | kIntegers | kHalves | kFloats, 0},
    {"le", "Le", "compare", kCompare, kBool | kIntegers | kHalves | kFloats, 0},
    {"gt", "Gt", "compare", kCompare, kBool | kIntegers | kHalves | kFloats, 0},
    {"ge", "Ge", "compare", kCompare, kBool | kIntegers | kHalves | kFloats, 0},
    {"logical_not", "LogicalNot", "compare", kTest,
     kBool | kIntegers | kHalves | kFloats | kComplexes, 0},
    {"logical_and", "LogicalAnd", "compare", kCompare,
     kBool | kIntegers | kHalves | kFloats | kComplexes, 0},
    {"logical_or", "LogicalOr", "compare", kCompare,
     kBool | kIntegers | kHalves | kFloats | kComplexes, 0},
    {"logical_xor", "LogicalXor", "compare", kCompare,
     kBool | kIntegers | kHalves | kFloats | kComplexes, 0},
    {"maximum", "Maximum", "compare", kBinary, kBool | kIntegers | kHalves | kFloats, 0},
    {"minimum", "Minimum", "compare", kBinary, kBool | kIntegers | kHalves | kFloats, 0},
    {"fmax", "Fmax", "compare", kBinary, kBool | kIntegers | kHalves | kFloats, 0},
    {"fmin", "Fmin", "compare", kBinary, kBool | kIntegers | kHalves | kFloats, 0},
    {"clamp", "Clamp", "compare", kTernary, kIntegers | kHalves | kFloats, 0},
    {"where", "Where", "compare", kChoice, kAllTypes, 0},
    {"conj_physical", "Conj", "trigonometric", kUnary, kComplexes, kComplex32},
    {"complex", "MakeComplex", "trigonometric", kToComplex, kFloats, Bit(DType::kFloat16)},
    {"real_part", "RealPart", "trigonometric", kToReal, kComplexes, 0},
    {"imaginary_part", "ImaginaryPart", "trigonometric", kToReal, kComplexes, 0},
    {"sum_of_parts", "SumOfParts", "trigonometric", kToReal, kComplexes, 0},
    {"complex_of_three", "ComplexOfThree", "trigonometric", kTernaryToComplex, kFloats, 0},
    {"polar", "Polar", "trigonometric", kToComplex, kFloats, 0},
    {"exp", "Exp", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"exp2", "Exp2", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"expm1", "Expm1", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"log", "Log", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"log10", "Log10", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"log1p", "Log1p", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"log2", "Log2", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"reciprocal", "Reciprocal", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"rsqrt", "Rsqrt", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"sigmoid", "Sigmoid", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"sqrt", "Sqrt", "exponential", kUnary, kHalves | kFloats | kComplexes, 0},
    {"pow", "Pow", "exponential", kBinary, kIntegers | kHalves | kFloats | kComplexes, 0},
    {"square", "Square", "exponential", kUnary, kIntegers | kHalves | kFloats | kComplexes, 0},
    {"cube", "Cube", "exponential", kUnary, kIntegers | kHalves | kFloats | kComplexes, 0},
    {"logit", "Logit", "exponential", kUnary, kHalves | kFloats, 0},
    {"logit_between", "LogitBetween", "exponential", kUnaryWith2, kHalves | kFloats, 0},
    {"logaddexp", "LogAddExp", "exponential", kBinary, kHalves | kFloats | kComplexes, 0},
    {"logaddexp2", "LogAddExp2", "exponential", kBinary, kHalves | kFloats, 0},
    {"xlogy", "Xlogy", "exponential", kBinary, kHalves | kFloats, 0},
    {"special_xlog1py", "Xlog1py", "exponential", kBinary, kHalves | kFloats, 0},
    {"lerp", "Lerp", "lerp", kTernary, kHalves | kFloats | kComplexes, 0},
    {"squared_difference", "SquaredDifference", "loss", kBinary, kHalves | kFloats, 0},
    {"smooth_l1", "SmoothL1", "loss", kBinaryWith1, kHalves | kFloats, 0},
    {"huber", "Huber", "loss", kBinaryWith1, kHalves | kFloats, 0},
    {"binary_cross_entropy", "BinaryCrossEntropy", "loss", kBinary, kHalves | kFloats, 0},
    {"ceil", "Ceil", "rounding", kUnary, kHalves | kFloats, 0},
    {"floor", "Floor", "rounding", kUnary, kHalves | kFloats, 0},
    {"trunc", "Trunc", "rounding", kUnary, kHalves | kFloats, 0},
    {"round", "Round", "rounding", kUnary, kHalves | kFloats, 0},
    {"round_to_parts", "RoundToParts", "rounding", kUnaryWith1, kHalves | kFloats, 0},
    {"round_to_multiples", "RoundToMultiples", "rounding", kUnaryWith1, kHalves | kFloats, 0},
    {"frac", "Frac", "rounding", kUnary, kHalves | kFloats, 0},
    {"fmod", "Fmod", "rounding", kBinary, kIntegers | kHalves | kFloats, 0},
    {"remainder", "Remainder", "rounding", kBinary, kIntegers | kHalves | kFloats, 0},
    {"erf", "Erf", "special", kUnary, kHalves | kFloats, 0},
    {"erfc", "Erfc", "special", kUnary, kHalves | kFloats, 0},
    {"lgamma", "Lgamma", "special", kUnary, kHalves | kFloats, 0},
    {"ndtr", "Ndtr", "special", kUnary, kHalves | kFloats, 0},
    {"acos", "Acos", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"acosh", "Acosh", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"asin", "Asin", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"asinh", "Asinh", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"atan", "Atan", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"atanh", "Atanh", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"cos", "Cos", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"cosh", "Cosh", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"sin", "Sin", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"sinh", "Sinh", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"sinc", "Sinc", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"tan", "Tan", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"tanh", "Tanh", "trigonometric", kUnary, kHalves | kFloats | kComplexes, 0},
    {"angle", "Angle", "trigonometric", kToReal, kHalves | kFloats | kComplexes, 0},
    {"atan2", "Atan2", "trigonometric", kBinary, kHalves | kFloats, 0},
    {"hypot", "Hypot", "trigonometric", kBinary, kHalves | kFloats, 0},
    {"deg2rad", "DegreesToRadians", "trigonometric", kUnary, kHalves | kFloats, 0},
    {"rad2deg", "RadiansToDegrees", "trigonometric", kUnary, kHalves | kFloats, 0},
    {"gcd", "Gcd", "bitwise", kBinary, kIntegers, 0},
    {"lcm", "Lcm", "bitwise", kBinary, kIntegers, 0},
    {"i0", "BesselI0", "special", kUnary, kHalves | kFloats, 0, true},
    {"special_i0e", "ScaledBesselI0", "special", kUnary, kHalves | kFloats, 0, true},
    {"special_i1", "BesselI1", "special", kUnary, kHalves | kFloats, 0, true},
    {"special_i1e", "ScaledBesselI1", "special", kUnary, kHalves | kFloats, 0, true},
    {"bessel_i0", "BesselI0", "special", kUnary, kFloats, 0, true},
    {"bessel_i1", "BesselI1", "special", kUnary, kFloats, 0, true},
    {"bessel_k0", "BesselK0", "special", kUnary, kFloats, 0, true},
    {"bessel_k1", "BesselK1", "special", kUnary, kFloats, 0, true},
    {"scaled_bessel_k0", "ScaledBesselK0", "special", kUnary, kFloats, 0, true},
    {"scaled_bessel_k1", "ScaledBesselK1", "special", kUnary, kFloats, 0, true},
    {"bessel_j0", "BesselJ0", "special", kUnary, kFloats, 0, true},
    {"bessel_j1", "BesselJ1", "special", kUnary, kFloats, 0, true},
    {"bessel_y0", "BesselY0", "special", kUnary, kFloats, 0, true},
    {"bessel_y1", "BesselY1", "special", kUnary, kFloats, 0, true},
    {"spherical_bessel_j0", "SphericalBesselJ0", "special", kUnary, kFloats, 0, true},
    {"airy_ai", "AiryAi", "special", kUnary, kFloats, 0, true},
    {"digamma", "Digamma", "special", kUnary, kHalves | kFloats, 0, true},
    {"erfinv", "ErfInv", "special", kUnary, kHalves | kFloats, 0, true},
    {"erfcx", "Erfcx", "special", kUnary, kFloats, 0, true},
    {"log_ndtr", "LogNdtr", "special", kUnary, kFloats, 0, true},
    {"ndtri", "Ndtri", "special", kUnary, kFloats, 0, true},
    {"entr", "Entropy", "special", kUnary, kHalves | kFloats, 0, true},
    {"igamma", "GammaP", "special", kBinary, kHalves | kFloats, 0, true},
    {"igammac", "GammaQ", "special", kBinary, kHalves | kFloats, 0, true},
    {"nextafter", "NextAfter", "special", kBinary, kHalves | kFloats, 0, true},
    {"frexp_mantissa", "FrexpMantissa", "special", kUnary, kHalves | kFloats, 0, true},
    {"frexp_exponent", "FrexpExponent", "special", kUnary, kHalves | kFloats, 0, true},
    {"zeta", "Zeta", "zeta", kBinary, kFloats, 0},
    {"chebyshev_polynomial_t", "ChebyshevT", "polynomial", kBinary, kFloats, 0},
    {"chebyshev_polynomial_u", "ChebyshevU", "polynomial", kBinary, kFloats, 0},
    {"chebyshev_polynomial_v", "ChebyshevV", "polynomial", kBinary, kFloats, 0},
    {"chebyshev_polynomial_w", "ChebyshevW", "polynomial", kBinary, kFloats, 0},
    {"hermite_polynomial_h", "HermitePolynomialH", "polynomial", kBinary, kFloats, 0},
    {"hermite_polynomial_he", "HermitePolynomialHe", "polynomial", kBinary, kFloats, 0},
    {"laguerre_polynomial_l", "LaguerreL", "polynomial", kBinary, kFloats, 0},
    {"legendre_polynomial_p", "LegendreP", "polynomial", kBinary, kFloats, 0},
    {"shifted_chebyshev_polynomial_t", "ShiftedChebyshevT", "polynomial", kBinary, kFloats, 0},
    {"shifted_chebyshev_polynomial_u", "ShiftedChebyshevU", "polynomial", kBinary, kFloats, 0},
    {"shifted_chebyshev_polynomial_v", "ShiftedChebyshevV", "polynomial", kBinary, kFloats, 0},
    {"shifted_chebyshev_polynomial_w", "ShiftedChebyshevW", "polynomial", kBinary, kFloats, 0},
};

consteval const FormulaDef* Formula(std::string_view name) {
  for (const FormulaDef& f : kFormulas) {
    if (name == f.name) return &f;
  }
  throw "there is no such formula";
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_FORMULA_TABLE_H_
