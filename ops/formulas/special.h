// Formulas of special functions that are computed in lanes.
//
//   f::Erf()(a)   a: a float
//
// Error against the exact value: at most 4 ulp (libmvec), 1 ulp (SLEEF's lgamma). What is computed
// one number at a time or by libraries of each backend is in library.h, with its facts alone. Real
// numbers only; integers and bool compute in the default dtype.
//
// Special values:
//
//             -inf     -1      -0      0       1      inf
//   Erf        -1    -0.843    -0      0     0.843     1
//   Erfc        2     1.843     1      1     0.157     0
//   Lgamma     inf     inf     inf    inf      0      inf
//   Ndtr        0     0.159    0.5    0.5    0.841     1
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_SPECIAL_H_
#define SWITCHYARD_OPS_FORMULAS_SPECIAL_H_

#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to a: from -1 to 1, odd. Float lanes have an
// approximation of their own (ErfOfFloat, float_math.h).
// Operator: erf; ATen also has it as special_erf.
struct Erf : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return erf(a);
  }
};
SY_FORMULA(Erf, .dtypes = kHalves | kFloats)

// 1 - erf a, from 2 at -inf to 0 at inf, without loss where erf a is near 1.
// Operator: erfc; ATen also has it as special_erfc.
struct Erfc : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return erfc(a);
  }
};
SY_FORMULA(Erfc, .dtypes = kHalves | kFloats)

// log |gamma(a)|: inf at 0, at negative integers and at inf; 0 at 1 and 2. The sign of gamma(a) is
// not given.
// Operator: lgamma; ATen also has it as special_gammaln.
struct Lgamma : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return lgamma(a);
  }
};
SY_FORMULA(Lgamma, .dtypes = kHalves | kFloats)

// The normal distribution: the probability below a, (1 + erf(a / sqrt 2)) / 2. Far below 0 it is 0
// and not a small number; special_log_ndtr is made for these. Source: ATen special_ndtr.
// Operator: special_ndtr.
struct Ndtr : TranscendentalFormula {
  static constexpr bool kRoundsEachStep = true, kScalarUnlessFloat = false;
  template <class V>
  SY_FN V operator()(V a) const {
    using E = typename V::Element;
    return (V(E(1)) + erf(a / V(E(1.41421356237309504880)))) * V(E(0.5));
  }
};
SY_FORMULA(Ndtr, .dtypes = kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_SPECIAL_H_
