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
  static constexpr long long kMany = 256;  // steps of the recurrence

  template <class T>
  static SY_FN T Of(T x, T degree) {
    if (!(degree > -1 && degree < T(9.2e18))) return 0;  // what 64 bits hold
    if constexpr (Kind::kShifted) x = x + x - 1;
    if (x != x) return x;
    const auto n = static_cast<long long>(degree);
    T before = 1, p = Kind::First(x);
    if (n == 0) return before;
    if constexpr (Kind::kDoubles) {
      if (n > kMany) return Kind::Doubled(x, n);
    }
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
  static constexpr bool kShifted = kShift, kDoubles = true;
  // T_n + (p_1 - x) * U_(n-1) in as many steps as n has bits, so that every degree has an end.
  // T_2m = 2 T_m^2 - 1, T_(2m+1) = 2 T_m T_(m+1) - x, U_(2m-1) = 2 T_m U_(m-1),
  // U_2m = 2 T_m U_m - 1. Source: Mason, Handscomb, 2.4.
  template <class T>
  static SY_FN T Doubled(T x, long long n) {
    T t = 1, t_next = x, u = 0, u_next = 1;  // T_m, T_(m+1), U_(m-1), U_m of the first bits m of n
    int bit = 62;
    while ((n >> bit & 1) == 0) --bit;
    for (; bit >= 0; --bit) {
      const T t_odd = 2 * t * t_next - x, u_odd = 2 * t * u_next - 1;
      if ((n >> bit & 1) != 0) {
        u_next = 2 * t_next * u_next;
        t_next = 2 * t_next * t_next - 1;
        t = t_odd;
        u = u_odd;
      } else {
        u = 2 * t * u;
        t = 2 * t * t - 1;
        t_next = t_odd;
        u_next = u_odd;
      }
    }
    return kTimesX == 1 && kPlus == 0 ? t : t + (First(x) - x) * u;
  }
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
  static constexpr bool kDoubles = false;
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return (x + x) * p - (k + k) * before;
  }
};
struct HermiteHe : Chebyshev<1, 0> {
  static constexpr bool kDoubles = false;
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return x * p - k * before;
  }
};
struct Laguerre : Chebyshev<-1, 1> {
  static constexpr bool kDoubles = false;
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return ((k + k + 1 - x) * p - k * before) / (k + 1);
  }
};
struct Legendre : Chebyshev<1, 0> {
  static constexpr bool kDoubles = false;
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
