// Complex numbers of the vocabulary: a pair of real ones, over scalars and over vectors alike.
//
//   Complex<Num<float>> z{1, 2};  (z * z).re.v == -3;
//
// Arithmetic is that of pairs; the transcendental functions are the C library's (Annex G) and exist
// for scalars on the host.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_COMPLEX_H_
#define SWITCHYARD_OPS_FORMULAS_COMPLEX_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

template <class V>
struct Complex {
  using Real = V;
  V re, im;
  Complex() = default;
  SY_FN Complex(V r, V i) : re(r), im(i) {}
  SY_FN explicit Complex(double r) : re(typename V::Element(r)), im(typename V::Element(0)) {}
};

template <class V>
SY_FN Complex<V> operator+(Complex<V> a, Complex<V> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class V>
SY_FN Complex<V> operator-(Complex<V> a, Complex<V> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class V>
SY_FN Complex<V> operator-(Complex<V> a) {
  return {-a.re, -a.im};
}
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
  const V ratio = small / large, scale = V(E(1)) / (large + small * ratio);
  // (x + y * ratio) * scale and (z * ratio + w) * scale, with the parts of a in either order
  const V x = select(real_larger, a.re, a.im), y = select(real_larger, a.im, a.re);
  const V re = (x + y * ratio) * scale;
  const V im = select(real_larger, y - x * ratio, x * ratio - y) * scale;
  const auto by_zero = (abs_re == V(E(0))) & (abs_im == V(E(0)));
  return {select(by_zero, a.re / abs_re, re), select(by_zero, a.im / abs_re, im)};
}
template <class V>
SY_FN auto operator==(Complex<V> a, Complex<V> b) {
  return (a.re == b.re) & (a.im == b.im);
}
template <class V>
SY_FN auto operator!=(Complex<V> a, Complex<V> b) {
  return (a.re != b.re) | (a.im != b.im);
}
template <class M, class V>
SY_FN Complex<V> select(M mask, Complex<V> a, Complex<V> b) {
  return {select(mask, a.re, b.re), select(mask, a.im, b.im)};
}
template <class V>
SY_FN V abs(Complex<V> a) {
  return hypot(a.re, a.im);
}

#if !defined(__CUDACC__)

namespace internal {
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
SY_FN Complex<Num<float>> pow(Complex<Num<float>> a, Complex<Num<float>> b) {
  return internal::FromC<float>(__builtin_cpowf(internal::ToC(a), internal::ToC(b)));
}
SY_FN Complex<Num<double>> pow(Complex<Num<double>> a, Complex<Num<double>> b) {
  return internal::FromC<double>(__builtin_cpow(internal::ToC(a), internal::ToC(b)));
}

// What C has no function for, of bases and of small numbers.
template <class T>
SY_FN Complex<Num<T>> exp2(Complex<Num<T>> a) {
  const Num<T> ln2 = T(0.693147180559945309417);
  return exp(Complex<Num<T>>(a.re * ln2, a.im * ln2));
}
template <class T>
SY_FN Complex<Num<T>> log10(Complex<Num<T>> a) {
  const Complex<Num<T>> r = log(a);
  const Num<T> ln10 = T(2.302585092994045684018);
  return {r.re / ln10, r.im / ln10};
}
template <class T>
SY_FN Complex<Num<T>> log2(Complex<Num<T>> a) {
  const Complex<Num<T>> r = log(a);
  const Num<T> ln2 = T(0.693147180559945309417);
  return {r.re / ln2, r.im / ln2};
}
// e^z - 1 = (e^x - 1) cos y - 2 sin²(y/2) + i e^x sin y
template <class T>
SY_FN Complex<Num<T>> expm1(Complex<Num<T>> a) {
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
