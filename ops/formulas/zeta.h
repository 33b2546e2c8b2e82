// Hurwitz's zeta function, the sum of (q + k)^-s over k = 0, 1, ..., and what is made of it: the
// derivatives of digamma.
//
//   f::Zeta()(s, q)        Zeta()(2, 1) = pi^2 / 6;  Zeta()(s, 1) is Riemann's
//   f::Polygamma()(x, n)   Polygamma()(1, 1) = pi^2 / 6
//
// Computed in double, one number at a time. Infinity at s = 1, whatever q is, and where q is 0 or a
// negative integer; else NaN for s below 1, for NaN, and where a q below 0 meets an s that is not
// whole.
//
// Zeta()(2, 1) is 1.6449, Zeta()(4, 1) 1.0823, Zeta()(2, 0.5) 4.9348, Zeta()(3, 2) 0.2021.
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_ZETA_H_
#define SWITCHYARD_OPS_FORMULAS_ZETA_H_

#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// Ten terms of the sum, and what Euler and Maclaurin make of the rest. Source: NIST Digital Library
// of Mathematical Functions, 25.11.7.
// Cost: at most eleven powers for q > 0; for a negative q as many more as it takes to come above 9.
// Operator: special_zeta.
struct Zeta : Formula {
  static constexpr bool kScalarOnly = true;
  template <class T>
  SY_FN Num<T> operator()(Num<T> s, Num<T> q) const {
    return static_cast<T>(Of(static_cast<double>(s.v), static_cast<double>(q.v)));
  }

 private:
  static SY_FN double Of(double s, double q) {
    const double inf = __builtin_inf(), nan = __builtin_nan("");
    if (s == 1) return inf;
    if (!(s > 1) || q != q) return nan;
    if (q <= 0 && q == SY_LIBM(floor)(q)) return inf;
    if (q <= 0 && s != SY_LIBM(floor)(s)) return nan;  // a power of a negative number
    // B_2k / (2k)!, B: Bernoulli's numbers
    constexpr int kParts = 8, kTerms = 10;
    const double bernoulli[kParts] = {1.0 / 12,          -1.0 / 720,
                                      1.0 / 30240,       -1.0 / 1209600,
                                      1.0 / 47900160,    -691.0 / 1307674368000,
                                      1.0 / 74724249600, -3617.0 / 10670622842880000};
    double sum = 0, x = q;
    for (int k = 0; k < kTerms || x <= 9; ++k, x += 1) {
      const double term = SY_LIBM(pow)(x, -s);
      sum += term;
      if (SY_LIBM(fabs)(term) < 0x1p-52 * SY_LIBM(fabs)(sum) && x > 0) return sum;
    }
    const double power = SY_LIBM(pow)(x, -s);
    sum += power * x / (s - 1) + power / 2;
    double factor = s, scale = power / x;
    for (int k = 0; k < kParts; ++k) {
      sum += bernoulli[k] * factor * scale;
      factor *= (s + 2 * k + 1) * (s + 2 * k + 2);
      scale /= x * x;
    }
    return sum;
  }
};
SY_FORMULA(Zeta, .inputs = 2, .dtypes = kFloats)

// The n-th derivative of digamma at x, for a whole n from 0 on: (-1)^(n+1) n! Zeta(n + 1, x) for n
// above 0. Infinite at 0 and at negative integers, where digamma is NaN. Source: NIST Digital
// Library of Mathematical Functions, 5.5, 5.11 and 5.15.
// Operator: polygamma.
struct Polygamma : Formula {
  static constexpr bool kScalarOnly = true;
  template <class T>
  SY_FN Num<T> operator()(Num<T> x, Num<T> n) const {
    return static_cast<T>(Of(static_cast<double>(x.v), static_cast<double>(n.v)));
  }

 private:
  static constexpr double kPi = 3.141592653589793;
  static SY_FN double Of(double x, double n) {
    if (n == 0) return Digamma(x);
    if (n == 1) return Trigamma(x);
    const bool odd = n != 2 * SY_LIBM(floor)(n / 2);
    const double factorial = SY_LIBM(exp)(SY_LIBM(lgamma)(n + 1));
    return (odd ? factorial : -factorial) * ZetaOf(n + 1, x);
  }
  static SY_FN double ZetaOf(double s, double q) {
    return Zeta()(Num<double>(s), Num<double>(q)).v;
  }
  // What x is above the next integer below: tangents and sines of pi x need no more.
  static SY_FN double Above(double x) { return x - SY_LIBM(floor)(x); }
  static SY_FN double Digamma(double x) {
    if (x == 0) return SY_LIBM(copysign)(__builtin_inf(), -x);
    if (x < 0) {
      const double above = Above(x);
      if (!(above > 0)) return __builtin_nan("");
      return DigammaAbove0(1 - x) - kPi / SY_LIBM(tan)(kPi * above);
    }
    return x == __builtin_inf() ? x : DigammaAbove0(x);
  }
  static SY_FN double DigammaAbove0(double x) {
    double sum = 0;
    for (; x < 10; x += 1) sum -= 1 / x;
    // B_2k / 2k, B: Bernoulli's numbers
    constexpr int kParts = 7;
    const double bernoulli[kParts] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                      1.0 / 132, -691.0 / 32760, 1.0 / 12};
    const double square = 1 / (x * x);
    double rest = 0;
    for (int k = kParts - 1; k >= 0; --k) rest = (rest + bernoulli[k]) * square;
    return sum + SY_LIBM(log)(x) - 0.5 / x - rest;
  }
  // Reflected where x is small, since there may be many terms below 0.
  static SY_FN double Trigamma(double x) {
    const double inf = __builtin_inf();
    if (x >= 0.5) return x == inf ? 0 : ZetaOf(2, x);
    const double above = Above(x);
    if (above == 0) return inf;
    const double sine = SY_LIBM(sin)(kPi * above);
    return kPi * kPi / (sine * sine) - ZetaOf(2, 1 - x);
  }
};
SY_FORMULA(Polygamma, .params = 1, .dtypes = kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_ZETA_H_
