// The transcendental functions of complex numbers for the device, which has no C library with them.
// Of float parts too they are computed in double, which hides their rounding.
//
// Source: W. Kahan, "Branch cuts for complex elementary functions, or: much ado about nothing's
// sign bit", in: The State of the Art in Numerical Analysis, 1987; the special values of exp and
// sqrt: C standard, annex G.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_COMPLEX_MATH_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_COMPLEX_MATH_H_

#include "switchyard/backends/cuda/device/builtins.h"
#include "switchyard/ops/formulas/complex.h"

namespace sy::f {
namespace device {

struct Z {
  double re, im;
};

SY_FN bool Finite(double x) { return x - x == 0; }

SY_FN Z Exp(Z z) {
  if (z.im == 0) return {::exp(z.re), z.im};
  if (!Finite(z.re) && !Finite(z.im) && z.re == z.re) {
    if (z.re < 0) return {0, 0};
    return {z.re, __builtin_nan("")};
  }
  const double r = ::exp(z.re);
  if (r == 0 && !Finite(z.im)) return {0, 0};
  return {r * ::cos(z.im), r * ::sin(z.im)};
}
SY_FN Z Log(Z z) {
  const double a = ::fabs(z.re), b = ::fabs(z.im), r = ::hypot(a, b);
  const double large = a > b ? a : b, small = a > b ? b : a;
  const bool near = r > 0.5 && r < 2;
  const double re = near ? 0.5 * ::log1p((large - 1) * (large + 1) + small * small) : ::log(r);
  return {re, ::atan2(z.im, z.re)};
}
SY_FN Z Sqrt(Z z) {
  if (z.re == 0 && z.im == 0) return {0, z.im};
  if (z.im - z.im != 0 && z.im == z.im) return {__builtin_inf(), z.im};
  const double t = ::sqrt(0.5 * (::fabs(z.re) + ::hypot(z.re, z.im)));
  if (z.re >= 0) return {t, Finite(t) ? z.im / (2 * t) : ::copysign(0.0, z.im)};
  return {Finite(t) ? ::fabs(z.im) / (2 * t) : 0.0, ::copysign(t, z.im)};
}
SY_FN Z Times(Z a, Z b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

SY_FN Z Sinh(Z z) {
  if (z.im == 0) return {::sinh(z.re), z.im};
  return {::sinh(z.re) * ::cos(z.im), ::cosh(z.re) * ::sin(z.im)};
}
SY_FN Z Cosh(Z z) {
  if (z.im == 0) return {::cosh(z.re), z.re * z.im};
  return {::cosh(z.re) * ::cos(z.im), ::sinh(z.re) * ::sin(z.im)};
}
SY_FN Z Tanh(Z z) {
  if (::fabs(z.re) > 20) {
    const double im = 4 * ::sin(z.im) * ::cos(z.im) * ::exp(-2 * ::fabs(z.re));
    return {::copysign(1.0, z.re), Finite(z.im) ? im : 0.0};
  }
  const double t = ::tan(z.im), beta = 1 + t * t, s = ::sinh(z.re), rho = ::sqrt(1 + s * s);
  const double d = 1 + beta * s * s;
  return {beta * rho * s / d, t / d};
}
// f(z) = -i g(i z), for the pairs of circular and hyperbolic functions.
template <class G>
SY_FN Z Rotated(Z z, G g) {
  const Z w = g(Z{-z.im, z.re});
  return {w.im, -w.re};
}

SY_FN Z Asin(Z z) {
  const Z a = Sqrt({1 - z.re, -z.im}), b = Sqrt({1 + z.re, z.im});
  return {::atan2(z.re, Times(a, b).re), ::asinh(Times({a.re, -a.im}, b).im)};
}
SY_FN Z Acos(Z z) {
  const Z a = Sqrt({1 - z.re, -z.im}), b = Sqrt({1 + z.re, z.im});
  return {2 * ::atan2(a.re, b.re), ::asinh(Times({b.re, -b.im}, a).im)};
}
SY_FN Z Acosh(Z z) {
  const Z a = Sqrt({z.re - 1, z.im}), b = Sqrt({z.re + 1, z.im});
  return {::asinh(Times({a.re, -a.im}, b).re), 2 * ::atan2(a.im, b.re)};
}
SY_FN Z Atanh(Z z) {
  const double x = ::fabs(z.re), y = z.im, q = (1 - x) * (1 - x) + y * y;
  const double re = Finite(q) ? 0.25 * ::log1p(4 * x / q) : 0.0;
  return {::copysign(re, z.re), 0.5 * ::atan2(2 * y, (1 - x) * (1 + x) - y * y)};
}
SY_FN Z Pow(Z a, Z b) {
  if (a.re == 0 && a.im == 0 && b.im == 0 && b.re == 0) return {1, 0};
  if (a.re == 0 && a.im == 0 && b.re > 0) return {0, 0};
  return Exp(Times(b, Log(a)));
}

// Of bases, and of small numbers: as ops/formulas/complex.h has them for the host.
SY_FN Z Scaled(Z z, double s) { return {z.re * s, z.im * s}; }
SY_FN Z Expm1(Z z) {
  const double half = ::sin(z.im / 2);
  return {::expm1(z.re) * ::cos(z.im) - 2 * half * half, ::exp(z.re) * ::sin(z.im)};
}
SY_FN Z Log1p(Z z) {
  const double excess = z.re * (2 + z.re) + z.im * z.im;
  const bool small = ::hypot(z.re, z.im) < 0.5;
  return {small ? 0.5 * ::log1p(excess) : ::log(::hypot(z.re + 1, z.im)), ::atan2(z.im, z.re + 1)};
}

template <class T>
SY_FN Z Widen(Complex<Num<T>> z) {
  return {z.re.v, z.im.v};
}
template <class T>
SY_FN Complex<Num<T>> Narrowed(Z z) {
  return {Num<T>(T(z.re)), Num<T>(T(z.im))};
}

}  // namespace device

#define SY_COMPLEX_OF(name, expression)           \
  template <class T>                              \
  SY_FN Complex<Num<T>> name(Complex<Num<T>> a) { \
    using namespace device;                       \
    const Z z = Widen(a);                         \
    return Narrowed<T>(expression);               \
  }
SY_COMPLEX_OF(exp, Exp(z))
SY_COMPLEX_OF(exp2, Exp(Scaled(z, 0.693147180559945309417)))
SY_COMPLEX_OF(expm1, Expm1(z))
SY_COMPLEX_OF(log, Log(z))
SY_COMPLEX_OF(log10, Scaled(Log(z), 1 / 2.302585092994045684018))
SY_COMPLEX_OF(log1p, Log1p(z))
SY_COMPLEX_OF(log2, Scaled(Log(z), 1 / 0.693147180559945309417))
SY_COMPLEX_OF(sqrt, Sqrt(z))
SY_COMPLEX_OF(sinh, Sinh(z))
SY_COMPLEX_OF(cosh, Cosh(z))
SY_COMPLEX_OF(tanh, Tanh(z))
SY_COMPLEX_OF(sin, Rotated(z, [](Z w) { return Sinh(w); }))
SY_COMPLEX_OF(tan, Rotated(z, [](Z w) { return Tanh(w); }))
SY_COMPLEX_OF(cos, Cosh(Z{-z.im, z.re}))
SY_COMPLEX_OF(asin, Asin(z))
SY_COMPLEX_OF(acos, Acos(z))
SY_COMPLEX_OF(atanh, Atanh(z))
SY_COMPLEX_OF(acosh, Acosh(z))
SY_COMPLEX_OF(asinh, Rotated(z, [](Z w) { return Asin(w); }))
SY_COMPLEX_OF(atan, Rotated(z, [](Z w) { return Atanh(w); }))
#undef SY_COMPLEX_OF

template <class T>
SY_FN Complex<Num<T>> pow(Complex<Num<T>> a, Complex<Num<T>> b) {
  return device::Narrowed<T>(device::Pow(device::Widen(a), device::Widen(b)));
}

}  // namespace sy::f

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_COMPLEX_MATH_H_
