// Orthogonal polynomials, by their recurrences.
//
//   f::HermitePolynomialH()(x, n)    x: the point, n: the degree, both of one float dtype
//
// A degree is cut to an integer; below 0, 0 is the result, and so it is for NaN and from 9.2e18 on,
// which 64 bits do not hold. A NaN x gives NaN but for such degrees.
// Cost: one step for each degree; Chebyshev's take one for each bit of a degree above 256. A NaN on
// the way ends the recurrence.
//
// The first of each:
//
//   n             1          2                        3
//   ChebyshevT    x          2 x^2 - 1                4 x^3 - 3 x
//   ChebyshevU    2 x        4 x^2 - 1                8 x^3 - 4 x
//   ChebyshevV    2 x - 1    4 x^2 - 2 x - 1          8 x^3 - 4 x^2 - 4 x + 1
//   ChebyshevW    2 x + 1    4 x^2 + 2 x - 1          8 x^3 + 4 x^2 - 4 x - 1
//   HermiteH      2 x        4 x^2 - 2                8 x^3 - 12 x
//   HermiteHe     x          x^2 - 1                  x^3 - 3 x
//   Laguerre      1 - x      (x^2 - 4 x + 2) / 2      (-x^3 + 9 x^2 - 18 x + 6) / 6
//   Legendre      x          (3 x^2 - 1) / 2          (5 x^3 - 3 x) / 2
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_POLYNOMIAL_H_
#define SWITCHYARD_OPS_FORMULAS_POLYNOMIAL_H_

#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// p_0 = 1, p_1 as Kind gives it, p_(k+1) from p_k and p_(k-1). Sources of the recurrences: M.
// Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 22.7; of the third and fourth kind:
// J. C. Mason, D. C. Handscomb, "Chebyshev Polynomials", 2002, 1.2.3. Kind: First(x) is p_1,
// Next(x, k, p_k, p_(k-1)) the next; kShifted: of 2 x - 1 in place of x; kDoubles: Doubled(x, n) is
// faster for degrees above kMany.
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

// p_1 = kTimesX x + kPlus; all four kinds have the recurrence of T.
template <int kTimesX, int kPlus, bool kShift = false>
struct Chebyshev {
  static constexpr bool kShifted = kShift, kDoubles = true;
  // T_n + (p_1 - x) * U_(n-1) in as many steps as n has bits, so that every degree has an end.
  // T_2m = 2 T_m^2 - 1, T_(2m+1) = 2 T_m T_(m+1) - x, U_(2m-1) = 2 T_m U_(m-1),
  // U_2m = 2 T_m U_m - 1. Source: Mason, Handscomb, 2.4.
  // n > 0.
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
// Of the physicists: 2 x p_k - 2 k p_(k-1).
struct HermiteH : Chebyshev<2, 0> {
  static constexpr bool kDoubles = false;
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return (x + x) * p - (k + k) * before;
  }
};
// Of the probabilists: x p_k - k p_(k-1).
struct HermiteHe : Chebyshev<1, 0> {
  static constexpr bool kDoubles = false;
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return x * p - k * before;
  }
};
// (k + 1) p_(k+1) = (2 k + 1 - x) p_k - k p_(k-1).
struct Laguerre : Chebyshev<-1, 1> {
  static constexpr bool kDoubles = false;
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return ((k + k + 1 - x) * p - k * before) / (k + 1);
  }
};
// (k + 1) p_(k+1) = (2 k + 1) x p_k - k p_(k-1).
struct Legendre : Chebyshev<1, 0> {
  static constexpr bool kDoubles = false;
  template <class T>
  static SY_FN T Next(T x, T k, T p, T before) {
    return ((k + k + 1) * x * p - k * before) / (k + 1);
  }
};

// The formulas: operator special_<name>_polynomial_<kind>, x and n tensors or one of them a number.
// T_n(cos t) = cos(n t), the first kind; T_3(2) = 26.
struct ChebyshevT : Orthogonal<Chebyshev<1, 0>> {};
SY_FORMULA(ChebyshevT, .inputs = 2, .dtypes = kFloats)
// U_n(cos t) = sin((n + 1) t) / sin t, the second kind.
struct ChebyshevU : Orthogonal<Chebyshev<2, 0>> {};
SY_FORMULA(ChebyshevU, .inputs = 2, .dtypes = kFloats)
// V_n(cos t) = cos((n + 1/2) t) / cos(t / 2), the third.
struct ChebyshevV : Orthogonal<Chebyshev<2, -1>> {};
SY_FORMULA(ChebyshevV, .inputs = 2, .dtypes = kFloats)
// W_n(cos t) = sin((n + 1/2) t) / sin(t / 2), the fourth.
struct ChebyshevW : Orthogonal<Chebyshev<2, 1>> {};
SY_FORMULA(ChebyshevW, .inputs = 2, .dtypes = kFloats)
// The same on [0, 1]: of 2 x - 1.
struct ShiftedChebyshevT : Orthogonal<Chebyshev<1, 0, true>> {};
SY_FORMULA(ShiftedChebyshevT, .inputs = 2, .dtypes = kFloats)
struct ShiftedChebyshevU : Orthogonal<Chebyshev<2, 0, true>> {};
SY_FORMULA(ShiftedChebyshevU, .inputs = 2, .dtypes = kFloats)
struct ShiftedChebyshevV : Orthogonal<Chebyshev<2, -1, true>> {};
SY_FORMULA(ShiftedChebyshevV, .inputs = 2, .dtypes = kFloats)
struct ShiftedChebyshevW : Orthogonal<Chebyshev<2, 1, true>> {};
SY_FORMULA(ShiftedChebyshevW, .inputs = 2, .dtypes = kFloats)
// H_3(x) = 8 x^3 - 12 x; weight e^(-x^2).
struct HermitePolynomialH : Orthogonal<HermiteH> {};
SY_FORMULA(HermitePolynomialH, .inputs = 2, .dtypes = kFloats)
// He_3(x) = x^3 - 3 x; weight e^(-x^2 / 2).
struct HermitePolynomialHe : Orthogonal<HermiteHe> {};
SY_FORMULA(HermitePolynomialHe, .inputs = 2, .dtypes = kFloats)
// L_2(x) = x^2 / 2 - 2 x + 1; weight e^-x on [0, inf).
struct LaguerreL : Orthogonal<Laguerre> {};
SY_FORMULA(LaguerreL, .inputs = 2, .dtypes = kFloats)
// P_2(x) = (3 x^2 - 1) / 2; weight 1 on [-1, 1].
struct LegendreP : Orthogonal<Legendre> {};
SY_FORMULA(LegendreP, .inputs = 2, .dtypes = kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_POLYNOMIAL_H_
