// Orthogonal polynomials, by their recurrences.
//
//   f::HermitePolynomialH()(x, n)
//
// A degree is cut to an integer; below 0, 0 is the result.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_POLYNOMIAL_H_
#define SWITCHYARD_OPS_FORMULAS_POLYNOMIAL_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// p_0 = 1, p_1 as Kind gives it, p_(k+1) from p_k and p_(k-1). Sources of the recurrences:
// M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 22.7; of the third and fourth
// kind: J. C. Mason, D. C. Handscomb, "Chebyshev Polynomials", 2002, 1.2.3.
template <class Kind>
struct Orthogonal : Formula {
  static constexpr bool kScalarOnly = true;
  template <class T>
  SY_FN Num<T> operator()(Num<T> x, Num<T> n) const {
    return Of<T>(x.v, n.v);
  }

 private:
  template <class T>
  static SY_FN T Of(T x, T degree) {
    if (!(degree > -1 && degree < T(9.2e18))) return 0;  // what 64 bits hold
    if constexpr (Kind::kShifted) x = x + x - 1;
    if (x != x) return x;
    const auto n = static_cast<long long>(degree);
    T before = 1, p = Kind::First(x);
    if (n == 0) return before;
    for (long long k = 1; k < n && p == p; ++k) {
      const T next = Kind::Next(x, static_cast<T>(k), p, before);
      before = p;
      p = next;
    }
    return p;
  }
};

template <int kTimesX, int kPlus, bool kShift = false>
struct Chebyshev {
  static constexpr bool kShifted = kShift;
  template <class T>
  static SY_FN T First(T x) {
    return kTimesX * x + kPlus;
  }
  template <class T>
  static SY_FN T Next(T x, T, T p, T before) {
    return (x + x) * p - before;
  }
};
struct HermiteH : Chebyshev<2, 0> {
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return (x + x) * p - (k + k) * before;
  }
};
struct HermiteHe : Chebyshev<1, 0> {
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return x * p - k * before;
  }
};
struct Laguerre : Chebyshev<-1, 1> {
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return ((k + k + 1 - x) * p - k * before) / (k + 1);
  }
};
struct Legendre : Chebyshev<1, 0> {
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return ((k + k + 1) * x * p - k * before) / (k + 1);
  }
};

using ChebyshevT = Orthogonal<Chebyshev<1, 0>>;
using ChebyshevU = Orthogonal<Chebyshev<2, 0>>;
using ChebyshevV = Orthogonal<Chebyshev<2, -1>>;
using ChebyshevW = Orthogonal<Chebyshev<2, 1>>;
using ShiftedChebyshevT = Orthogonal<Chebyshev<1, 0, true>>;
using ShiftedChebyshevU = Orthogonal<Chebyshev<2, 0, true>>;
using ShiftedChebyshevV = Orthogonal<Chebyshev<2, -1, true>>;
using ShiftedChebyshevW = Orthogonal<Chebyshev<2, 1, true>>;
using HermitePolynomialH = Orthogonal<HermiteH>;
using HermitePolynomialHe = Orthogonal<HermiteHe>;
using LaguerreL = Orthogonal<Laguerre>;
using LegendreP = Orthogonal<Legendre>;

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_POLYNOMIAL_H_
