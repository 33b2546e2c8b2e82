// Formulas of powers, exponentials and logarithms.
//
//   f::Exp()(a)   a: a float or complex number; pow also takes integers
//
// Error against the exact value: at most 4 ulp (libmvec's bound) for float and double; complex
// numbers as the C library.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_EXPONENTIAL_H_
#define SWITCHYARD_OPS_FORMULAS_EXPONENTIAL_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct Exp : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return exp(a);
  }
};

struct Exp2 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return exp2(a);
  }
};

struct Expm1 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return expm1(a);
  }
};

struct Log : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return log(a);
  }
};

struct Log10 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return log10(a);
  }
};

struct Log1p : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return log1p(a);
  }
};

struct Log2 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return log2(a);
  }
};

struct Pow : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return pow(a, b);
  }
};

struct Sqrt : Formula {
  static constexpr bool kScalarUnlessFloat = true;
  template <class V>
  SY_FN V operator()(V a) const {
    return sqrt(a);
  }
};

struct Rsqrt : LongFormula {
  static constexpr bool kScalarUnlessFloat = true;
  template <class V>
  SY_FN V operator()(V a) const {
    return V(1.0) / sqrt(a);
  }
};

struct Square : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * a;
  }
};

struct Cube : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * a * a;
  }
};

struct Reciprocal : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return V(1.0) / a;
  }
};

struct Sigmoid : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return V(1.0) / (V(1.0) + exp(-a));
  }
};

// The inverse of Sigmoid.
struct Logit : TranscendentalFormula {
  static constexpr bool kRoundsEachStep = true, kScalarUnlessFloat = false;
  template <class V>
  SY_FN V operator()(V a) const {
    return log(a / (V(typename V::Element(1)) - a));
  }
};
// The same of a limited to [low, high].
struct LogitBetween : TranscendentalFormula {
  static constexpr bool kRoundsEachStep = true, kScalarUnlessFloat = false;
  template <class V>
  SY_FN V operator()(V a, V low, V high) const {
    return Logit()(select(a < low, low, select(a > high, high, a)));
  }
};

// log(e^a + e^b), by the larger one, so that nothing overflows. Equal infinities are the result.
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

// The same to the base 2. Source: ATen logaddexp2, log2(1 + x) = log1p(x) / ln 2.
struct LogAddExp2 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    const V larger = select((a > b) | isnan(a), a, b);
    const V sum = larger + log1p(exp2(-abs(a - b))) * V(1.44269504088896340736);
    return select((a == b) & (a - b != V(0.0)), a, sum);
  }
};

// a log(b), 0 where a is 0, NaN where b is.
struct Xlogy : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select((a == V(0.0)) & !isnan(b), V(0.0), a * log(b));
  }
};
struct Xlog1py : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select((a == V(0.0)) & !isnan(b), V(0.0), a * log1p(b));
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_EXPONENTIAL_H_
