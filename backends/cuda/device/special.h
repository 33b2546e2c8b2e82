// Special functions for the device: CUDA's own where there is one, else series, recurrences and
// quadrature. All compute in double.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
// Owns: nothing.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_SPECIAL_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_SPECIAL_H_

#include "switchyard/backends/cuda/device/number.h"

namespace sy::f {

// Formulas of F::Of, a function of doubles.
template <class F>
struct OfDouble : Formula {
  template <class T>
  SY_FN Num<T> operator()(Num<T> x) const {
    return static_cast<T>(F::Of(static_cast<double>(x.v)));
  }
};
template <class F>
struct OfTwoDoubles : Formula {
  template <class T>
  SY_FN Num<T> operator()(Num<T> x, Num<T> y) const {
    return static_cast<T>(F::Of(static_cast<double>(x.v), static_cast<double>(y.v)));
  }
};

namespace device {

inline constexpr double kPi = 3.14159265358979323846, kEuler = 0.57721566490153286061,
                        kEpsilon = 0x1p-53;

// --- Bessel functions

// K of order nu at x >= 1, times e^x: the integral of exp(-x (cosh t - 1)) cosh(nu t) over t > 0,
// by the trapezoidal rule, whose error falls exponentially with the step.
// Sources: NIST Digital Library of Mathematical Functions, 10.32.9; L. N. Trefethen,
// J. A. C. Weideman, "The exponentially convergent trapezoidal rule", SIAM Review 56 (2014).
SY_FN double ScaledKByQuadrature(double nu, double x) {
  const double step = ::fmin(0.2, 0.6 / ::sqrt(x));
  double sum = 0.5;
  for (int k = 1;; ++k) {
    const double t = k * step, half = ::sinh(t / 2), decay = 2 * x * half * half;
    sum += ::exp(-decay) * ::cosh(nu * t);
    if (decay > 40) return sum * step;
  }
}
// K of order 0 or 1 at 0 < x <= 2 by its series. Source: NIST DLMF, 10.31.1 and 10.31.2.
template <int kOrder>
SY_FN double KBySeries(double x) {
  const double q = x * x / 4, log = ::log(x / 2);
  // term: q^k / (k! (k + order)!); digammas of k + 1 and k + 1 + order.
  double term = 1, first = -kEuler, second = kOrder == 0 ? -kEuler : 1 - kEuler;
  double bessel = 0, rest = 0;
  for (int k = 0; term > kEpsilon * bessel; ++k) {
    bessel += term;
    rest += term * (first + second) / 2;
    first += 1.0 / (k + 1);
    second += 1.0 / (k + 1 + kOrder);
    term *= q / (static_cast<double>(k + 1) * (k + 1 + kOrder));
  }
  if constexpr (kOrder == 0) {
    return rest - log * bessel;
  } else {
    return 1 / x + x / 2 * (log * bessel - rest);
  }
}
template <int kOrder, bool kScaled>
SY_FN double BesselK(double x) {
  if (!(x >= 0)) return __builtin_nan("");
  if (x == 0) return __builtin_inf();
  if (x - x != 0) return 0;
  if (x <= 2) return KBySeries<kOrder>(x) * (kScaled ? ::exp(x) : 1.0);
  return ScaledKByQuadrature(kOrder, x) * (kScaled ? 1.0 : ::exp(-x));
}

// NaN at infinity, as ATen's.
template <int kOrder>
SY_FN double BesselI(double x) {
  if (x - x != 0) return __builtin_nan("");
  const double y = kOrder == 0 ? ::cyl_bessel_i0(::fabs(x)) : ::cyl_bessel_i1(::fabs(x));
  return kOrder == 1 && x < 0 ? -y : y;
}
// e^-|x| I(x): where I is near overflow, by its series at infinity, whose terms fall below a
// double's precision there. Source: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions",
// 9.7.1; mu = 4 order^2.
template <int kOrder>
SY_FN double ScaledBesselI(double x) {
  const double a = ::fabs(x);
  if (!(a > 600)) return ::exp(-a) * BesselI<kOrder>(x);
  const double mu = 4.0 * kOrder * kOrder;
  double term = 1, sum = 1;
  for (int k = 1; k <= 8; ++k) {
    const double odd = 2 * k - 1;
    term *= -(mu - odd * odd) / (k * 8 * a);
    sum += term;
  }
  const double y = a - a != 0 ? 0 : sum / ::sqrt(2 * kPi * a);
  return kOrder == 1 && x < 0 ? -y : y;
}

// --- Airy's function Ai

// Near 0, by its Taylor series around the nearest integer: from y'' = x y come its coefficients.
// The values at the integers were computed with 30 digits.
SY_FN double AiryByTaylor(double x) {
  constexpr int kFirst = -9;
  const double at[][2] = {{-0.022133721547341403674, -0.97566398092633159471},
                          {-0.052705050356386202622, 0.93556093819830655103},
                          {0.18428083525050563728, -0.77100816841012654773},
                          {-0.32914517362982310523, 0.34593548728134289493},
                          {0.35076100902411431979, 0.32719281855444313679},
                          {-0.070265532949289515099, -0.7906285753685813803},
                          {-0.37881429367765807435, 0.31458376921659881365},
                          {0.22740742820168557599, 0.61825902074169104141},
                          {0.5355608832923521188, -0.010160567116645209395},
                          {0.35502805388781723926, -0.25881940379280679841},
                          {0.13529241631288141552, -0.15914744129679321279},
                          {0.034924130423274379135, -0.053090384433653631704}};
  const double centre = ::rint(x), d = x - centre;
  const double* const start = at[static_cast<int>(centre) - kFirst];
  // c: the coefficients of d^(n-1), d^n, d^(n+1); (n + 2)(n + 1) c[n+2] = centre c[n] + c[n-1]
  double before = 0, c = start[0], next = start[1], power = 1, sum = 0;
  for (int n = 0; n < 30; ++n) {
    sum += c * power;
    const double after = (centre * c + before) / ((n + 2.0) * (n + 1));
    before = c;
    c = next;
    next = after;
    power *= d;
  }
  return sum;
}
// Far below 0, by its series at infinity. Source: NIST DLMF, 9.7.9.
SY_FN double AiryBelow(double x) {
  const double zeta = 2.0 / 3 * x * ::sqrt(x), angle = zeta - kPi / 4;
  double u = 1, even = 0, odd = 0;
  for (int k = 0; k < 12; ++k) {
    const double term = (k & 2) != 0 ? -u : u;
    (k % 2 == 0 ? even : odd) += term;
    u *= (6.0 * k + 5) * (6.0 * k + 3) * (6.0 * k + 1) / (216.0 * (k + 1) * (2.0 * k + 1) * zeta);
  }
  return (::cos(angle) * even + ::sin(angle) * odd) / (::sqrt(kPi) * ::sqrt(::sqrt(x)));
}
SY_FN double Airy(double x) {
  if (x == __builtin_inf()) return 0;
  if (x - x != 0) return __builtin_nan("");
  if (x < -9.5) return AiryBelow(-x);
  if (x <= 2) return AiryByTaylor(x);
  const double zeta = 2.0 / 3 * x * ::sqrt(x);  // Source: NIST DLMF, 9.6.2
  return ::sqrt(x / 3) / kPi * ScaledKByQuadrature(1.0 / 3, zeta) * ::exp(-zeta);
}

// --- The gamma function's relatives

// Of x > 0: up to 10 by its recurrence, then by its series at infinity. Source: NIST DLMF, 5.5.2
// and 5.11.2.
SY_FN double DigammaAbove(double x) {
  double sum = 0;
  for (; x < 10; x += 1) sum -= 1 / x;
  const double z = 1 / (x * x);
  const double series =
      z * (1.0 / 12 - z * (1.0 / 120 -
                           z * (1.0 / 252 -
                                z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
  return sum + ::log(x) - 0.5 / x - series;
}
// -inf at 0 (inf at -0), NaN at negative integers, as ATen's.
SY_FN double Digamma(double x) {
  if (x == 0) return ::copysign(__builtin_inf(), -x);
  if (x == __builtin_inf() || x != x) return x;
  if (x > 0) return DigammaAbove(x);
  if (x == ::trunc(x)) return __builtin_nan("");
  // Source: NIST DLMF, 5.5.4; of x modulo 1, which is exact.
  return DigammaAbove(1 - x) - kPi / ::tan(kPi * (x - ::trunc(x)));
}

// log(1 + m) - m, m > -1.
SY_FN double Log1pLess(double m) {
  if (::fabs(m) > 0.15) return ::log1p(m) - m;
  double power = m, sum = 0;
  for (int k = 2; k < 24; ++k) {
    power *= -m;
    sum += power / k;
  }
  return sum;
}
// lgamma(1 + a), to its last digits for small a. Source: NIST DLMF, 5.7.3.
SY_FN double LogGammaOfOneAnd(double a) {
  if (a > 1e-3) return ::lgamma(1 + a);
  return a * (-kEuler + a * (0.82246703342411321824 -
                             a * (0.40068563438653142847 -
                                  a * (0.27058080842778454788 - a * 0.20738555102867398527))));
}
// x^a e^-x / gamma(a). Source of Stirling's series: NIST DLMF, 5.11.1.
SY_FN double GammaDensity(double a, double x) {
  if (a < 15) return ::exp(a * ::log(x) - x - LogGammaOfOneAnd(a)) * a;
  const double z = 1 / (a * a), m = (x - a) / a;
  const double stirling =
      (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z / 1188)))) / a;
  const double log = m < -0.5 ? ::log(x / a) - m : Log1pLess(m);
  return ::sqrt(a / (2 * kPi)) * ::exp(a * log - stirling);
}
// P by its series. Source: NIST DLMF, 8.11.4.
SY_FN double GammaPBySeries(double a, double x) {
  double term = 1, sum = 1;
  for (double n = a + 1; term > kEpsilon * sum; n += 1) {
    term *= x / n;
    sum += term;
  }
  return GammaDensity(a, x) / a * sum;
}
// Q of small x, where P is near 1. Source: NIST DLMF, 8.7.3.
SY_FN double GammaQBySeries(double a, double x) {
  double term = 1, sum = 0;
  for (int k = 1; k < 60; ++k) {
    term *= -x / k;
    sum += term / (a + k);
  }
  const double log = a * ::log(x) - LogGammaOfOneAnd(a);
  return -::expm1(log) - ::exp(log) * a * sum;
}
// Q by its continued fraction, with Lentz's method. Source: NIST DLMF, 8.9.2.
SY_FN double GammaQByFraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / b, h = d;
  for (int k = 1; k < 2000; ++k) {
    const double an = -k * (k - a);
    b += 2;
    d = an * d + b;
    c = b + an / c;
    d = 1 / (::fabs(d) < kTiny ? kTiny : d);
    c = ::fabs(c) < kTiny ? kTiny : c;
    h *= d * c;
    if (::fabs(d * c - 1) < 2 * kEpsilon) break;
  }
  return GammaDensity(a, x) * h;
}
// Of large a: Q for x >= a, else P, as the integral of the density from x on, relative to that at
// x, with s = width exp(u - exp(-u)), by the trapezoidal rule.
// Source: H. Takahasi, M. Mori, "Double exponential formulas for numerical integration", 1974.
SY_FN double GammaTailByQuadrature(double a, double x) {
  const double sign = x >= a ? 1 : -1, width = 1 / (::fabs(1 - (a - 1) / x) + 1 / ::sqrt(a));
  constexpr double kStep = 0.0625;
  double sum = 0;
  for (double u = -4; u < 4.5; u += kStep) {
    const double e = ::exp(-u), s = width * ::exp(u - e), m = sign * s / x;
    if (!(m > -1)) break;
    // (a - 1) log(1 + m) - sign s
    const double log = (a - 1) * Log1pLess(m) + m * (a - 1 - x);
    sum += ::exp(log) * s * (1 + e);
  }
  return GammaDensity(a, x) / x * sum * kStep;
}
struct IncompleteGamma {
  double p, q;
};
SY_FN IncompleteGamma IncompleteGammaOf(double a, double x) {
  if (a > 200) {
    const double tail = GammaTailByQuadrature(a, x);
    return x >= a ? IncompleteGamma{1 - tail, tail} : IncompleteGamma{tail, 1 - tail};
  }
  if (x > 1.1 && x > a) {
    const double q = GammaQByFraction(a, x);
    return {1 - q, q};
  }
  // Where P is more than a half or so, Q is the one to compute.
  if (x <= 0.5 ? -0.4 / ::log(x) > a : x <= 1.1 && 0.75 * x > a) {
    const double q = GammaQBySeries(a, x);
    return {1 - q, q};
  }
  const double p = GammaPBySeries(a, x);
  return {p, 1 - p};
}
// Limits of P, and of Q = 1 - P; what is left has a finite value.
template <bool kUpper>
SY_FN double IncompleteGammaWithLimits(double a, double x) {
  const double at_zero = kUpper, at_infinity = !kUpper, inf = __builtin_inf();
  if (a != a || x != x || a < 0 || x < 0) return __builtin_nan("");
  if (a == 0) return x > 0 ? at_infinity : __builtin_nan("");
  if (x == 0) return at_zero;
  if (a == inf) return x == inf ? __builtin_nan("") : at_zero;
  if (x == inf) return at_infinity;
  const IncompleteGamma g = IncompleteGammaOf(a, x);
  return kUpper ? g.q : g.p;
}

// --- The normal distribution
SY_FN double LogNdtr(double x) {
  const double t = x * 0.70710678118654752440;
  return x < -1 ? ::log(::erfcx(-t) / 2) - t * t : ::log1p(-::erfc(t) / 2);
}

}  // namespace device

#define SY_DEVICE_FORMULA1(Name, ...)                                   \
  struct Name : OfDouble<Name> {                                        \
    static SY_FN double Of(double x) { return device::__VA_ARGS__(x); } \
  };
SY_DEVICE_FORMULA1(BesselI0, BesselI<0>)
SY_DEVICE_FORMULA1(BesselI1, BesselI<1>)
SY_DEVICE_FORMULA1(ScaledBesselI0, ScaledBesselI<0>)
SY_DEVICE_FORMULA1(ScaledBesselI1, ScaledBesselI<1>)
SY_DEVICE_FORMULA1(ModifiedBesselI0, BesselI<0>)
SY_DEVICE_FORMULA1(ModifiedBesselI1, BesselI<1>)
SY_DEVICE_FORMULA1(BesselK0, BesselK<0, false>)
SY_DEVICE_FORMULA1(BesselK1, BesselK<1, false>)
SY_DEVICE_FORMULA1(ScaledBesselK0, BesselK<0, true>)
SY_DEVICE_FORMULA1(ScaledBesselK1, BesselK<1, true>)
SY_DEVICE_FORMULA1(AiryAi, Airy)
SY_DEVICE_FORMULA1(Digamma, Digamma)
SY_DEVICE_FORMULA1(LogNdtr, LogNdtr)
#undef SY_DEVICE_FORMULA1

struct BesselJ0 : OfDouble<BesselJ0> {
  static SY_FN double Of(double x) { return ::j0(x); }
};
struct BesselJ1 : OfDouble<BesselJ1> {
  static SY_FN double Of(double x) { return ::j1(x); }
};
struct BesselY0 : OfDouble<BesselY0> {
  static SY_FN double Of(double x) { return ::y0(x); }
};
struct BesselY1 : OfDouble<BesselY1> {
  static SY_FN double Of(double x) { return ::y1(x); }
};
// sin(x) / x; by its series near 0.
struct SphericalBesselJ0 : OfDouble<SphericalBesselJ0> {
  static SY_FN double Of(double x) {
    if (::fabs(x) == __builtin_inf()) return 0;
    const double z = x * x;
    if (z < 1e-4) return 1 - z / 6 * (1 - z / 20 * (1 - z / 42));
    return ::sin(x) / x;
  }
};
struct ErfInv : OfDouble<ErfInv> {
  static SY_FN double Of(double x) { return ::erfinv(x); }
};
struct Erfcx : OfDouble<Erfcx> {
  static SY_FN double Of(double x) { return ::erfcx(x); }
};
struct Ndtri : OfDouble<Ndtri> {
  static SY_FN double Of(double p) { return ::normcdfinv(p); }
};
struct Entropy : OfDouble<Entropy> {
  static SY_FN double Of(double x) {
    return x > 0 ? -x * ::log(x) : x == 0 ? 0 : x < 0 ? -__builtin_inf() : x;
  }
};
struct GammaP : OfTwoDoubles<GammaP> {
  static SY_FN double Of(double a, double x) {
    return device::IncompleteGammaWithLimits<false>(a, x);
  }
};
struct GammaQ : OfTwoDoubles<GammaQ> {
  static SY_FN double Of(double a, double x) {
    return device::IncompleteGammaWithLimits<true>(a, x);
  }
};

// The neighbour of a number on the way to another.
struct NextAfter : Formula {
  static constexpr bool kRoundsEachStep = true;
  SY_FN Num<float> operator()(Num<float> x, Num<float> y) const { return ::nextafterf(x.v, y.v); }
  SY_FN Num<double> operator()(Num<double> x, Num<double> y) const { return ::nextafter(x.v, y.v); }
  // Neighbours of one sign are neighbouring integers.
  template <class T>
  SY_FN cuda::Stepwise<T> operator()(cuda::Stepwise<T> x, cuda::Stepwise<T> y) const {
    if (isnan(x.v)) return x;
    if (isnan(y.v) || x == y) return y;
    constexpr unsigned kSign = 0x8000;
    const unsigned a = cuda::FromFloat<T>(x.v.v).bits, b = cuda::FromFloat<T>(y.v.v).bits;
    const bool away = ((a ^ b) & kSign) == 0 && (a & ~kSign) < (b & ~kSign);
    const unsigned next = (a & ~kSign) == 0 ? 1 | (b & kSign) : away ? a + 1 : a - 1;
    return cuda::Stepwise<T>(Num<float>(cuda::ToFloat(T{static_cast<unsigned short>(next)})));
  }
};

// x as a number of magnitude 1/2 … 1 times a power of 2.
struct FrexpMantissa : OfDouble<FrexpMantissa> {
  static SY_FN double Of(double x) {
    int exponent = 0;
    return ::frexp(x, &exponent);
  }
};
struct FrexpExponent : OfDouble<FrexpExponent> {
  static SY_FN double Of(double x) {
    int exponent = 0;
    ::frexp(x, &exponent);
    return x - x == 0 ? exponent : 0;
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_SPECIAL_H_
