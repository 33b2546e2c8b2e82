// Functions of float lanes as formulas over any float vector: additions, multiplications, and the
// moving of exponents.
//
//   V y = ExpOfFloat(x);   V: fma, select, abs, copysign, scale_by_power_of_two, and for the
//                          logarithm halves_of
//
// For the cpu backend, whose exp, log, tanh, erf and normal_cdf of Vec<float> they are; scalars,
// double and the GPU take a library's. What V must have:
//
//   fma(a, b, c)                 a b + c, rounded once where the processor can
//   scale_by_power_of_two(p, n)  p 2^n for whole n in -151 … 129, without overflow on the way
//   halves_of(x, k)              m and k with x = m 2^k, m between the roots of 1/2 and of 2
//
// Errors, in ulp of the result, with a fused multiply-add: ExpOfFloat 1.1, TanhOfFloat 1.6,
// ErfOfFloat 1.4, LogOfFloat 0.9; without it up to 1 more. Exact limits, gradual underflow, NaN
// stays NaN, and a sign of 0 is kept. All polynomials are those whose largest relative error in the
// result is least (Remez), found in 40 digits and then rounded to float.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_FLOAT_MATH_H_
#define SWITCHYARD_OPS_FORMULAS_FLOAT_MATH_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// A polynomial by Horner's rule, the coefficient of the highest power first: Polynomial(x, 3, 2, 1)
// is 3 x^2 + 2 x + 1.
template <class V>
SY_FN V PolynomialOf(V, V c) {
  return c;
}
template <class V, class... C>
SY_FN V PolynomialOf(V x, V c, float next, C... rest) {
  return PolynomialOf(x, fma(c, x, V(next)), rest...);
}
template <class V, class... C>
SY_FN V Polynomial(V x, float first, C... rest) {
  return PolynomialOf(x, V(first), rest...);
}

// e^x for -104 <= x <= 89.
//
// e^x = 2^n e^r with n = round(x / ln 2) and |r| <= ln(2) / 2. r is found with ln 2 in two parts,
// the first short enough for n times it to be exact (W. J. Cody, W. Waite, "Software Manual for the
// Elementary Functions", 1980). e^r = 1 + r + r^2 q(r): q has degree 4 (3.1e-9 before its
// coefficients are rounded).
template <class V>
SY_FN V ExpInRange(V x) {
  const V shift = V(12582912.0f);                     // 1.5 * 2^23: adding it rounds to an integer
  const V n = fma(x, V(1.44269504f), shift) - shift;  // 1 / ln 2
  V r = fma(n, V(-0.693145752f), x);                  // the first 15 bits of ln 2
  r = fma(n, V(-1.42860677e-6f), r);                  // the rest
  const V p =
      Polynomial(r, 0.0013814599f, 0.008368717f, 0.04166839f, 0.16666521f, 0.49999994f, 1.0f, 1.0f);
  return scale_by_power_of_two(p, n);
}
// e^x for every x: inf from about 88.73 on, subnormal below -87.3, 0 from about -104 on. A NaN
// passes both comparisons.
template <class V>
SY_FN V ExpOfFloat(V x) {
  // Beyond these, float is infinite or 0.
  const V high = V(89.0f), low = V(-104.0f);
  return ExpInRange(select(x > high, high, select(x < low, low, x)));
}

// tanh a = E / (E + 2) with E = e^2a - 1, found as above: with a = n ln(2) / 2 + t,
// E = 2^n (e^2t - 1) + (2^n - 1) and e^2t - 1 = 2 t + t^2 q(t) (1.3e-8).
template <class V>
SY_FN V TanhOfFloat(V x) {
  const V one = V(1.0f), most = V(10.0f);  // where it is 1
  V a = abs(x);
  a = select(a > most, most, a);
  const V shift = V(12582912.0f);
  const V n = fma(a, V(2.88539008f), shift) - shift;
  V t = fma(n, V(-0.346572876f), a);
  t = fma(n, V(-7.14303385e-7f), t);
  const V q = Polynomial(t, 0.08884759f, 0.26772859f, 0.66667521f, 1.33332349f, 1.99999993f);
  const V power = scale_by_power_of_two(one, n);
  const V e = fma(power, fma(t * t, q, t + t), power - one);
  return copysign(e / (e + V(2.0f)), x);
}

// erf a = 1 - e^l(a) with l near log erfc (3.0e-9); for a < 3/4 a p(a^2) (1.4e-9).
template <class V>
SY_FN V ErfOfFloat(V x) {
  const V a = abs(x);
  const V p = Polynomial(a * a, -0.00067496049f, 0.0051143598f, -0.026834633f, 0.11283377f,
                         -0.37612619f, 1.1283792f);
  const V capped = select(a > V(4.0f), V(4.0f), a);
  const V l = Polynomial(capped, 0.0002131772f, -0.0032058186f, 0.022848468f, -0.10516484f,
                         -0.63584158f, -1.1284335f, -2.1405006e-5f);
  const V large = V(1.0f) - ExpInRange(l);
  return copysign(select(a < V(0.75f), a * p, large), x);
}

// The normal distribution below x: 1 - h for x >= 0 and h below, with h = e^l(|x|) near
// erfc(|x| / sqrt 2) / 2 (1.5e-8 of 1, not of h), 0 from 6 on.
template <class V>
SY_FN V NormalCdfOfFloat(V x) {
  const V a = abs(x);
  const V l = Polynomial(a, -1.9214771e-6f, 2.6770216e-5f, -0.00012653352f, -0.00010110785f,
                         0.0049043427f, -0.036393713f, -0.31829659f, -0.79788569f, -0.69314717f);
  const V h = select(a < V(6.0f), ExpInRange(l), V(0.0f));
  return select(x < V(0.0f), h, V(1.0f) - h);
}

// log(x 2^n) for normal x > 0 and integers n.
//
// x = m 2^k with m between the square roots of 1/2 and 2, and with f = m - 1
// log m = f - f^2 / 2 + f^3 q(f) (5.8e-9). ln 2 is in two parts, as above.
template <class V>
SY_FN V LogOfFloat(V x, V n) {
  V k;
  const V f = halves_of(x, k) - V(1.0f);
  k = k + n;
  const V q = Polynomial(f, -0.076344315f, 0.12761551f, -0.13160195f, 0.14201762f, -0.16623356f,
                         0.20001227f, -0.25000821f, 0.33333332f, -0.5f);
  V r = fma(k, V(1.42860677e-6f), f * f * q);
  return fma(k, V(0.693145752f), f + r);
}

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_FLOAT_MATH_H_
