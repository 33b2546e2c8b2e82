// Formulas of powers, roots, exponentials and logarithms.
//
//   f::Exp()(a)        a: a float or complex number
//   f::Pow()(a, b)     integers too, which wrap around
//
// What is said of NaN, infinities and zeros follows IEEE 754's recommended functions; NaN gives NaN
// where nothing else is said. Complex logarithms, roots and powers are principal values, with the
// cut along the negative real axis; the sign of a zero imaginary part says from which side it is
// taken. Integers and bool compute in the default dtype where an operator gives floats
// (UnaryFloatShape in ops/shape_functions.h), so that only Pow, Square and Cube see them here.
//
// Error against the exact value: at most 4 ulp (libmvec's bound) for float and double; complex
// numbers as the C library. float16 and bfloat16 compute in float and round once, but for the
// formulas that say kRoundsEachStep.
//
// Special values, of real numbers:
//
//                -inf     -1      -0      0       1       inf
//   Exp           0      0.368     1      1      2.718    inf
//   Exp2          0      0.5       1      1       2       inf
//   Expm1        -1     -0.632    -0      0      1.718    inf
//   Log          nan     nan     -inf   -inf      0       inf
//   Log1p        nan    -inf      -0      0      0.693    inf
//   Sqrt         nan     nan      -0      0       1       inf
//   Rsqrt        nan     nan     -inf    inf      1        0
//   Reciprocal   -0      -1      -inf    inf      1        0
//   Square       inf      1        0      0       1       inf
//   Sigmoid       0      0.269    0.5    0.5     0.731     1
//   Logit        nan     nan     -inf   -inf     inf      nan
// Owns: nothing.
// Threads: any.
// Errors: none; an operator that refuses an argument does so before.
#ifndef SWITCHYARD_OPS_FORMULAS_EXPONENTIAL_H_
#define SWITCHYARD_OPS_FORMULAS_EXPONENTIAL_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// e^a: 0 at -inf, 1 at both zeros, inf where the result exceeds the dtype. Complex: e^x (cos y + i
// sin y). Float lanes have an approximation of their own (ExpOfFloat, float_math.h).
// Operator: exp.
struct Exp : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return exp(a);
  }
};
SY_FORMULA(Exp, .dtypes = kHalves | kFloats | kComplexes)

// 2^a; limits as of Exp. Complex numbers go through exp(a ln 2) (complex.h).
// Operator: exp2; ATen also has it as special_exp2.
struct Exp2 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return exp2(a);
  }
};
SY_FORMULA(Exp2, .dtypes = kHalves | kFloats | kComplexes)

// e^a - 1 without the loss near 0 that exp(a) - 1 has: -0 stays -0, -1 at -inf.
// Operator: expm1; ATen also has it as special_expm1.
struct Expm1 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return expm1(a);
  }
};
SY_FORMULA(Expm1, .dtypes = kHalves | kFloats | kComplexes)

// Natural logarithm: -inf at both zeros, NaN below 0. Complex: log |a| and the angle from -pi to
// pi.
// Operator: log.
struct Log : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return log(a);
  }
};
SY_FORMULA(Log, .dtypes = kHalves | kFloats | kComplexes)

// Logarithm to the base 10; limits as of Log. Complex: the natural one divided by ln 10.
// Operator: log10.
struct Log10 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return log10(a);
  }
};
SY_FORMULA(Log10, .dtypes = kHalves | kFloats | kComplexes)

// log(1 + a) without the loss near 0: -0 stays -0, -inf at -1, NaN below.
// Operator: log1p; ATen also has it as special_log1p.
struct Log1p : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return log1p(a);
  }
};
SY_FORMULA(Log1p, .dtypes = kHalves | kFloats | kComplexes)

// Logarithm to the base 2; limits as of Log. Complex: the natural one divided by ln 2.
// Operator: log2.
struct Log2 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return log2(a);
  }
};
SY_FORMULA(Log2, .dtypes = kHalves | kFloats | kComplexes)

// a^b. Floats: a^0 and 1^b are 1, NaN included; a negative base with a broken exponent is NaN; 0 to
// a negative power is infinite, with the sign of 0 where b is odd. Integers wrap around, and a
// negative power is the exact result cut to an integer: 0 for every base but 1 and -1, even for the
// base 0. Complex: e^(b log a), 1 at 0^0.
// Operators: pow, float_power. A number as exponent is looked at, and some have shorter formulas:
// Square's product for 2, Cube, Sqrt, Rsqrt.
struct Pow : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return pow(a, b);
  }
};
SY_FORMULA(Pow, .inputs = 2, .dtypes = kIntegers | kHalves | kFloats | kComplexes)

// Square root, correctly rounded for float and double: -0 stays -0, NaN below 0. Complex: the root
// with a real part that is not negative.
// Operator: sqrt, and pow with the exponent 0.5.
struct Sqrt : Formula {
  static constexpr bool kScalarUnlessFloat = true;
  template <class V>
  SY_FN V operator()(V a) const {
    return sqrt(a);
  }
};
SY_FORMULA(Sqrt, .dtypes = kHalves | kFloats | kComplexes)

// 1 / sqrt(a), rounded twice; no approximate instruction is used. inf at 0, -inf at -0, 0 at inf,
// NaN below 0. Complex: the reciprocal of the root.
// Operator: rsqrt, and pow with the exponent -0.5.
struct Rsqrt : LongFormula {
  static constexpr bool kScalarUnlessFloat = true;
  template <class V>
  SY_FN V operator()(V a) const {
    return V(1.0) / sqrt(a);
  }
};
SY_FORMULA(Rsqrt, .dtypes = kHalves | kFloats | kComplexes)

// a a; integers wrap around, and a complex number is multiplied by itself, not by its conjugate.
// Operator: square.
struct Square : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * a;
  }
};
SY_FORMULA(Square, .dtypes = kIntegers | kHalves | kFloats | kComplexes)

// a a a, from the left, rounded twice.
// Operator: pow with the exponent 3.
struct Cube : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * a * a;
  }
};
SY_FORMULA(Cube, .dtypes = kIntegers | kHalves | kFloats | kComplexes)

// 1 / a: inf at 0, -inf at -0. Complex: by the division of complex.h.
// Operator: reciprocal.
struct Reciprocal : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return V(1.0) / a;
  }
};
SY_FORMULA(Reciprocal, .dtypes = kHalves | kFloats | kComplexes)

// 1 / (1 + e^-a), from 0 to 1, both of which the infinities give; 1/2 at 0. For large negative a,
// e^-a overflows and the result is 0.
// Operator: sigmoid; ATen also has it as special_expit. Glu is made of it.
struct Sigmoid : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return V(1.0) / (V(1.0) + exp(-a));
  }
};
SY_FORMULA(Sigmoid, .dtypes = kHalves | kFloats | kComplexes)

// log(a / (1 - a)), the inverse of Sigmoid: -inf at 0, inf at 1, NaN outside [0, 1]. Of 16-bit
// floats every step is rounded.
// Operator: logit without eps, or with a negative one; ATen also has it as special_logit.
struct Logit : TranscendentalFormula {
  static constexpr bool kRoundsEachStep = true, kScalarUnlessFloat = false;
  template <class V>
  SY_FN V operator()(V a) const {
    return log(a / (V(typename V::Element(1)) - a));
  }
};
SY_FORMULA(Logit, .dtypes = kHalves | kFloats)
// The same of a limited to [low, high] first, so that it is finite for 0 < low and high < 1. NaN
// stays NaN. The kernels give eps and 1 - eps, rounded to the dtype.
// Operator: logit with eps.
struct LogitBetween : TranscendentalFormula {
  static constexpr bool kRoundsEachStep = true, kScalarUnlessFloat = false;
  template <class V>
  SY_FN V operator()(V a, V low, V high) const {
    return Logit()(select(a < low, low, select(a > high, high, a)));
  }
};
SY_FORMULA(LogitBetween, .params = 2, .dtypes = kHalves | kFloats)

// log(e^a + e^b), by the larger one, so that nothing overflows. Equal infinities are the result;
// NaN if either is.
// Operator: logaddexp, and one step of logcumsumexp.
struct LogAddExp : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    const V larger = select((a > b) | isnan(a), a, b);
    const V sum = larger + log1p(exp(-abs(a - b)));
    return select((a == b) & (a - b != V(0.0)), a, sum);
  }
  // By the one with the larger real part. Source: ATen's _log_add_exp_helper.
  template <class T>
  SY_FN Complex<Num<T>> operator()(Complex<Num<T>> a, Complex<Num<T>> b) const {
    if (isnan(a.re) || isnan(a.im) || isnan(b.re) || isnan(b.im)) {
      const Num<T> nan = T(__builtin_nan(""));
      return {nan, nan};
    }
    const bool less = a.re < b.re;
    const Complex<Num<T>> small = less ? a : b, large = less ? b : a;
    if (small.re == large.re && abs(small.re) == Num<T>(T(__builtin_inf())))
      return small.re < Num<T>(T(0)) ? small : log(exp(small) + exp(large));
    return large + log1p(exp(small - large));
  }
};
SY_FORMULA(LogAddExp, .inputs = 2, .dtypes = kHalves | kFloats | kComplexes)

// log2(2^a + 2^b), the same to the base 2. Source: ATen logaddexp2, log2(1 + x) = log1p(x) / ln 2.
// Operator: logaddexp2, real numbers only.
struct LogAddExp2 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    const V larger = select((a > b) | isnan(a), a, b);
    const V sum = larger + log1p(exp2(-abs(a - b))) * V(1.44269504088896340736);
    return select((a == b) & (a - b != V(0.0)), a, sum);
  }
};
SY_FORMULA(LogAddExp2, .inputs = 2, .dtypes = kHalves | kFloats)

// a log(b), 0 where a is 0 whatever b is but NaN: 0 log 0 and 0 log(-1) too; NaN where b is.
// Operator: xlogy; ATen also has it as special_xlogy. It is what entropies are sums of.
struct Xlogy : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select((a == V(0.0)) & !isnan(b), V(0.0), a * log(b));
  }
};
SY_FORMULA(Xlogy, .inputs = 2, .dtypes = kHalves | kFloats)
// a log(1 + b), with the same limits and without the loss for small b.
// Operator: special_xlog1py.
struct Xlog1py : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select((a == V(0.0)) & !isnan(b), V(0.0), a * log1p(b));
  }
};
SY_FORMULA(Xlog1py, .inputs = 2, .dtypes = kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_EXPONENTIAL_H_
