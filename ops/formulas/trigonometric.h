// Formulas of angles, trigonometric and hyperbolic functions, and of complex numbers' parts.
//
//   f::Sin()(a)        a: a float or complex number, in radians
//   f::Atan2()(y, x)   the angle of a point
//
// Domain and value of each are those of the real function; what is said of complex numbers is the
// principal value, and on a cut the sign of the zero says from which side it is taken (C11, Annex
// G). NaN gives NaN if nothing else is said. No formula here takes integers: the operators that
// name them (ops/trigonometric, ops/complex) convert integers and bool to the default dtype first.
//
// Error against the exact value: at most 4 ulp (libmvec's bound) for float and double; complex
// numbers as the C library. float16 and bfloat16 are computed in float and rounded once. ATen also
// knows the inverse functions as arccos, arcsin, arctan and so on; here they have one name.
//
// Special values, of real numbers:
//
//             -inf    -2      -1      -0      0       1       2       inf
//   Acos       nan    nan     pi     pi/2    pi/2     0      nan      nan
//   Acosh      nan    nan    nan     nan     nan      0      1.317    inf
//   Asin       nan    nan   -pi/2     -0      0      pi/2    nan      nan
//   Asinh     -inf  -1.444  -0.881    -0      0      0.881   1.444    inf
//   Atan     -pi/2  -1.107  -pi/4     -0      0      pi/4    1.107   pi/2
//   Atanh      nan    nan    -inf     -0      0      inf     nan      nan
//   Cosh       inf   3.762   1.543     1      1      1.543   3.762    inf
//   Sinh      -inf  -3.627  -1.175    -0      0      1.175   3.627    inf
//   Tanh        -1  -0.964  -0.762    -0      0      0.762   0.964     1
//   Angle       pi    pi      pi       0      0       0       0        0
//
// Cos, Sin, Tan and Sinc are NaN at the infinities.
// Owns: nothing.
// Threads: any.
// Errors: none; every number has a value, if only NaN.
#ifndef SWITCHYARD_OPS_FORMULAS_TRIGONOMETRIC_H_
#define SWITCHYARD_OPS_FORMULAS_TRIGONOMETRIC_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// Inverse of the cosine: from 0 to pi, pi/2 at 0; NaN outside [-1, 1], infinities too. Complex:
// cuts along the real axis below -1 and above 1, the real part is from 0 to pi.
// Operator: acos.
struct Acos : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return acos(a);
  }
};
SY_FORMULA(Acos, .dtypes = kHalves | kFloats | kComplexes)

// Inverse of the hyperbolic cosine for numbers >= 0: 0 at 1, inf at inf; NaN below 1. Complex: the
// cut is the real axis below 1, the real part is not negative, the imaginary one from -pi to pi.
// Operator: acosh.
struct Acosh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return acosh(a);
  }
};
SY_FORMULA(Acosh, .dtypes = kHalves | kFloats | kComplexes)

// Inverse of the sine: from -pi/2 to pi/2, odd, so that -0 stays -0; NaN outside [-1, 1]. Complex:
// cuts as of Acos, the real part is from -pi/2 to pi/2.
// Operator: asin.
struct Asin : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return asin(a);
  }
};
SY_FORMULA(Asin, .dtypes = kHalves | kFloats | kComplexes)

// Inverse of the hyperbolic sine, defined everywhere and odd; infinities stay. Complex: cuts along
// the imaginary axis below -i and above i, the imaginary part is from -pi/2 to pi/2.
// Operator: asinh.
struct Asinh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return asinh(a);
  }
};
SY_FORMULA(Asinh, .dtypes = kHalves | kFloats | kComplexes)

// Inverse of the tangent: from -pi/2 to pi/2, which the infinities give; odd. Complex: cuts as of
// Asinh, the real part is from -pi/2 to pi/2. The angle of a point is Atan2.
// Operator: atan.
struct Atan : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return atan(a);
  }
};
SY_FORMULA(Atan, .dtypes = kHalves | kFloats | kComplexes)

// Inverse of the hyperbolic tangent: -inf at -1, inf at 1, NaN beyond; odd. Complex: cuts along the
// real axis below -1 and above 1, the imaginary part is from -pi/2 to pi/2.
// Operator: atanh.
struct Atanh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return atanh(a);
  }
};
SY_FORMULA(Atanh, .dtypes = kHalves | kFloats | kComplexes)

// Cosine of radians, from -1 to 1; NaN of an infinity, 1 at both zeros. Complex: cos x cosh y - i
// sin x sinh y, which grows with the imaginary part.
// Operator: cos.
struct Cos : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return cos(a);
  }
};
SY_FORMULA(Cos, .dtypes = kHalves | kFloats | kComplexes)

// (e^a + e^-a) / 2, at least 1; inf at both infinities, and where the result exceeds the dtype.
// Complex: cosh x cos y + i sinh x sin y.
// Operator: cosh.
struct Cosh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return cosh(a);
  }
};
SY_FORMULA(Cosh, .dtypes = kHalves | kFloats | kComplexes)

// Sine of radians, from -1 to 1, odd; NaN of an infinity. Complex: sin x cosh y + i cos x sinh y.
// Operator: sin.
struct Sin : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return sin(a);
  }
};
SY_FORMULA(Sin, .dtypes = kHalves | kFloats | kComplexes)

// (e^a - e^-a) / 2, odd, without loss near 0; infinities stay. Complex: sinh x cos y + i cosh x sin
// y.
// Operator: sinh.
struct Sinh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return sinh(a);
  }
};
SY_FORMULA(Sinh, .dtypes = kHalves | kFloats | kComplexes)

// Tangent of radians, odd; NaN of an infinity. No float is an odd multiple of pi/2, so it is
// finite, but large next to one.
// Operator: tan.
struct Tan : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return tan(a);
  }
};
SY_FORMULA(Tan, .dtypes = kHalves | kFloats | kComplexes)

// Hyperbolic tangent, from -1 to 1, both of which the infinities give; odd. float lanes have an
// approximation of their own (TanhOfFloat, float_math.h).
// Operator: tanh.
struct Tanh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return tanh(a);
  }
};
SY_FORMULA(Tanh, .dtypes = kHalves | kFloats | kComplexes)

// The angle of the point (b, a), from -pi to pi: the ordinate comes first. Zeros count with their
// signs, atan2(0, -0) = pi and atan2(-0, -1) = -pi; two infinities give an odd multiple of pi/4.
// Operator: atan2, real numbers only. The angle of a complex number is Angle.
struct Atan2 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return atan2(a, b);
  }
};
SY_FORMULA(Atan2, .inputs = 2, .dtypes = kHalves | kFloats)

// sqrt(a^2 + b^2) without overflow on the way; inf where either is infinite, even beside NaN.
// Operator: hypot. The magnitude of a complex number is computed by it (complex.h).
struct Hypot : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return hypot(a, b);
  }
};
SY_FORMULA(Hypot, .inputs = 2, .dtypes = kHalves | kFloats)

// The angle of a number in the complex plane: of real ones 0 or pi, of complex ones from -pi to pi;
// both zeros have the angle 0. NaN keeps its bits. The result of a complex number has the dtype of
// its parts.
// Operator: angle.
struct Angle : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return select(isnan(a), a, select(a < V(0.0), V(3.14159265358979323846), V(0.0)));
  }
  template <class V>
  SY_FN V operator()(Complex<V> a) const {
    return atan2(a.im, a.re);
  }
};
SY_FORMULA(Angle, .signature = kReal, .dtypes = kHalves | kFloats | kComplexes)

// The complex conjugate. Of real numbers there is no formula: the operators return them as they
// are. complex32 is computed in complex64, exactly.
// Operator: conj_physical, and through it conj.
struct Conj : Formula {
  template <class V>
  SY_FN Complex<V> operator()(Complex<V> a) const {
    return {a.re, -a.im};
  }
};
SY_FORMULA(Conj, .dtypes = kComplexes, .widened = kComplex32)

// The real part, for kernels that take complex numbers apart. As an operator, `real` is a view that
// computes nothing.
struct RealPart : Formula {
  template <class V>
  SY_FN V operator()(Complex<V> a) const {
    return a.re;
  }
};
SY_FORMULA(RealPart, .signature = kReal, .dtypes = kComplexes)
// The imaginary part, for the same.
struct ImaginaryPart : Formula {
  template <class V>
  SY_FN V operator()(Complex<V> a) const {
    return a.im;
  }
};
SY_FORMULA(ImaginaryPart, .signature = kReal, .dtypes = kComplexes)
// re + im: with the parts themselves, the third of the real products that make a complex one.
struct SumOfParts : Formula {
  template <class V>
  SY_FN V operator()(Complex<V> a) const {
    return a.re + a.im;
  }
};
SY_FACTS(SumOfParts, .signature = kReal, .dtypes = kComplexes)
// The product of complex numbers from three real ones: a of their real parts, b of the imaginary
// ones, c of the parts' sums: (x + iy)(u + iv) = xu - yv + i((x + y)(u + v) - xu - yv). For
// products that are expensive, as convolutions are; the imaginary part loses digits where a and b
// are much larger than it is. Source: ATen's complex_convolution (native/Convolution.cpp).
struct ComplexOfThree : Formula {
  template <class V>
  SY_FN Complex<V> operator()(V a, V b, V c) const {
    return {a - b, c - a - b};
  }
};
SY_FACTS(ComplexOfThree, .inputs = 3, .signature = kComplex, .dtypes = kFloats)

// A complex number of its real and imaginary part; no part is looked at, so NaN and -0 stay where
// they are. float16 parts go through float, exactly, and give complex32.
// Operator: complex.
struct MakeComplex : Formula {
  template <class V>
  SY_FN Complex<V> operator()(V re, V im) const {
    return {re, im};
  }
};
SY_FORMULA(MakeComplex, .inputs = 2, .signature = kComplex, .dtypes = kFloats,
           .widened = Bit(DType::kFloat16))
// A complex number of its length and its angle in radians, length cos angle + i length sin angle.
// An infinite angle gives NaN; the length may be negative. float and double only, as in ATen.
// Operator: polar.
struct Polar : TranscendentalFormula {
  static constexpr bool kScalarUnlessFloat = false;
  template <class V>
  SY_FN Complex<V> operator()(V length, V angle) const {
    return {length * cos(angle), length * sin(angle)};
  }
};
SY_FORMULA(Polar, .inputs = 2, .signature = kComplex, .dtypes = kFloats)

// a pi / 180, by one rounded factor; infinities stay.
// Operator: deg2rad.
struct DegreesToRadians : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * V(3.14159265358979323846 / 180);
  }
};
SY_FORMULA(DegreesToRadians, .dtypes = kHalves | kFloats)

// a 180 / pi, by one rounded factor; infinities stay.
// Operator: rad2deg.
struct RadiansToDegrees : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * V(180 / 3.14159265358979323846);
  }
};
SY_FORMULA(RadiansToDegrees, .dtypes = kHalves | kFloats)

// sin(pi a) / (pi a); 1 at both zeros, NaN of an infinity. pi a is rounded before its sine is
// taken, so that whole numbers give about 4e-17 in double and not 0.
// Operator: sinc; ATen also has it as special_sinc.
struct Sinc : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    const V x = a * V(3.14159265358979323846);
    return select(a == V(0.0), V(1.0), sin(x) / x);
  }
};
SY_FORMULA(Sinc, .dtypes = kHalves | kFloats | kComplexes)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_TRIGONOMETRIC_H_
