// Complex numbers of the vocabulary: a pair of real ones, over scalars and over vectors alike.
//
//   Complex<Num<float>> z{1, 2};  (z * z).re.v == -3;
//
// Arithmetic is that of pairs; the transcendental functions are the C library's (Annex G) and exist
// for scalars on the host. The cuda backend has its own (backends/cuda/device/complex_math.h).
//
// Infinities are not looked after: as in ATen, a product of an infinite number may have NaN as a
// part. complex64 is Complex of float, complex128 of double; complex32 is computed as complex64.
//
// For instance, of doubles:
//
//   (1 + 2i)(3 + 4i)        -5 + 10i
//   (1 + 2i) / (3 + 4i)     0.44 + 0.08i
//   (1 - 1i) / 0            inf - inf i
//   log(-1)                 pi i;  of -1 - 0i: -pi i
//   sqrt(-1)                i;     of -1 - 0i: -i
//   acos(2)                 -1.317 i
//   abs(nan + inf i)        inf
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_COMPLEX_H_
#define SWITCHYARD_OPS_FORMULAS_COMPLEX_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// V: Num<T> or a vector of it, T float or double. Uninitialised by default, as numbers are.
template <class V>
struct Complex {
  using Real = V;
  V re, im;
  Complex() = default;
  SY_FN Complex(V r, V i) : re(r), im(i) {}
  // A real constant, exact for float if r is: Complex<V>(1.0) in formulas that say V(1.0).
  SY_FN explicit Complex(double r) : re(typename V::Element(r)), im(typename V::Element(0)) {}
};

// Part by part, so that two roundings are all there is.
template <class V>
SY_FN Complex<V> operator+(Complex<V> a, Complex<V> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class V>
SY_FN Complex<V> operator-(Complex<V> a, Complex<V> b) {
  return {a.re - b.re, a.im - b.im};
}
// Both signs are flipped, of zeros too.
template <class V>
SY_FN Complex<V> operator-(Complex<V> a) {
  return {-a.re, -a.im};
}
// Four products, each rounded; nothing is fused, so that every device gives the same bits.
template <class V>
SY_FN Complex<V> operator*(Complex<V> a, Complex<V> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
// Scaled by the larger part of b, so that |b|^2 neither overflows nor vanishes. Source: R. L.
// Smith, "Algorithm 116: Complex division", CACM 5 (1962); division by 0 as numpy and ATen define
// it.
template <class V>
SY_FN Complex<V> operator/(Complex<V> a, Complex<V> b) {
  using E = typename V::Element;
  const V abs_re = abs(b.re), abs_im = abs(b.im);
  const auto real_larger = abs_re >= abs_im;
  const V large = select(real_larger, b.re, b.im), small = select(real_larger, b.im, b.re);
  // Of b = 0: 0 / 0, which is not used.
  const V ratio = small / large, scale = V(E(1)) / (large + small * ratio);
  // (x + y * ratio) * scale and (z * ratio + w) * scale, with the parts of a in either order
  const V x = select(real_larger, a.re, a.im), y = select(real_larger, a.im, a.re);
  const V re = (x + y * ratio) * scale;
  const V im = select(real_larger, y - x * ratio, x * ratio - y) * scale;
  // inf, NaN or a signed infinity by the signs of a's parts alone.
  const auto by_zero = (abs_re == V(E(0))) & (abs_im == V(E(0)));
  return {select(by_zero, a.re / abs_re, re), select(by_zero, a.im / abs_re, im)};
}
// Both parts equal. There is no order.
template <class V>
SY_FN auto operator==(Complex<V> a, Complex<V> b) {
  return (a.re == b.re) & (a.im == b.im);
}
// A part that is NaN makes it true.
template <class V>
SY_FN auto operator!=(Complex<V> a, Complex<V> b) {
  return (a.re != b.re) | (a.im != b.im);
}
// M: one truth for a number, not one for each part.
template <class M, class V>
SY_FN Complex<V> select(M mask, Complex<V> a, Complex<V> b) {
  return {select(mask, a.re, b.re), select(mask, a.im, b.im)};
}
// The length, without overflow on the way; inf if a part is infinite, even beside NaN.
template <class V>
SY_FN V abs(Complex<V> a) {
  return hypot(a.re, a.im);
}

#if !defined(__CUDACC__)

namespace internal {
// The compiler's own complex types, which its builtins take.
template <class T>
struct CType;
template <>
struct CType<float> {
  using Type = __complex__ float;
};
template <>
struct CType<double> {
  using Type = __complex__ double;
};
// A pair to the compiler's own complex type and back; no code is left of it.
template <class T>
SY_FN typename CType<T>::Type ToC(Complex<Num<T>> a) {
  typename CType<T>::Type c;
  __real__ c = a.re.v;
  __imag__ c = a.im.v;
  return c;
}
template <class T, class C>
SY_FN Complex<Num<T>> FromC(C c) {
  return {Num<T>(__real__ c), Num<T>(__imag__ c)};
}
}  // namespace internal

// Principal values, with the branch cuts that C11, 7.3 gives each.
#define SY_COMPLEX_FUNCTION(name)                                          \
  SY_FN Complex<Num<float>> name(Complex<Num<float>> a) {                  \
    return internal::FromC<float>(__builtin_c##name##f(internal::ToC(a))); \
  }                                                                        \
  SY_FN Complex<Num<double>> name(Complex<Num<double>> a) {                \
    return internal::FromC<double>(__builtin_c##name(internal::ToC(a)));   \
  }
SY_COMPLEX_FUNCTION(acos)
SY_COMPLEX_FUNCTION(acosh)
SY_COMPLEX_FUNCTION(asin)
SY_COMPLEX_FUNCTION(asinh)
SY_COMPLEX_FUNCTION(atan)
SY_COMPLEX_FUNCTION(atanh)
SY_COMPLEX_FUNCTION(cos)
SY_COMPLEX_FUNCTION(cosh)
SY_COMPLEX_FUNCTION(exp)
SY_COMPLEX_FUNCTION(log)
SY_COMPLEX_FUNCTION(sin)
SY_COMPLEX_FUNCTION(sinh)
SY_COMPLEX_FUNCTION(sqrt)
SY_COMPLEX_FUNCTION(tan)
SY_COMPLEX_FUNCTION(tanh)
#undef SY_COMPLEX_FUNCTION
// e^(b log a); 0^0 is 1.
SY_FN Complex<Num<float>> pow(Complex<Num<float>> a, Complex<Num<float>> b) {
  return internal::FromC<float>(__builtin_cpowf(internal::ToC(a), internal::ToC(b)));
}
SY_FN Complex<Num<double>> pow(Complex<Num<double>> a, Complex<Num<double>> b) {
  return internal::FromC<double>(__builtin_cpow(internal::ToC(a), internal::ToC(b)));
}

// What C has no function for, of bases and of small numbers. 2^z = e^(z ln 2): the product is
// rounded, which costs accuracy where z is large.
template <class T>
SY_FN Complex<Num<T>> exp2(Complex<Num<T>> a) {
  const Num<T> ln2 = T(0.693147180559945309417);
  return exp(Complex<Num<T>>(a.re * ln2, a.im * ln2));
}
// Part by part, of the natural logarithm: the angle is divided as well.
template <class T>
SY_FN Complex<Num<T>> log10(Complex<Num<T>> a) {
  const Complex<Num<T>> r = log(a);
  const Num<T> ln10 = T(2.302585092994045684018);
  return {r.re / ln10, r.im / ln10};
}
// As log10.
template <class T>
SY_FN Complex<Num<T>> log2(Complex<Num<T>> a) {
  const Complex<Num<T>> r = log(a);
  const Num<T> ln2 = T(0.693147180559945309417);
  return {r.re / ln2, r.im / ln2};
}
// e^z - 1 = (e^x - 1) cos y - 2 sin²(y/2) + i e^x sin y
template <class T>
SY_FN Complex<Num<T>> expm1(Complex<Num<T>> a) {
  // cos y - 1 = -2 sin^2(y / 2), without the difference.
  const Num<T> half = sin(a.im / Num<T>(T(2)));
  return {expm1(a.re) * cos(a.im) - Num<T>(T(2)) * half * half, exp(a.re) * sin(a.im)};
}
// log|1 + z| = log1p(|1 + z|² - 1) / 2 where z is small
template <class T>
SY_FN Complex<Num<T>> log1p(Complex<Num<T>> a) {
  const Num<T> one = T(1), angle = atan2(a.im, a.re + one);
  const Num<T> excess = a.re * (Num<T>(T(2)) + a.re) + a.im * a.im;
  const bool small = abs(a) < Num<T>(T(0.5));
  return {small ? log1p(excess) / Num<T>(T(2)) : log(hypot(a.re + one, a.im)), angle};
}

#endif  // !__CUDACC__

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_COMPLEX_H_
