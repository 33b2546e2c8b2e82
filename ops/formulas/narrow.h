// Numbers that round to a narrower type after every operation, as if the processor computed in it.
//
//   Narrow<ToFloat16, Num<float>> a, b;  a / b   is ToFloat16::Round(a.v / b.v)
//
// For formulas whose value on 16-bit floats is defined step by step (Formula::kRoundsEachStep):
// elsewhere they compute in float and round once, at the end. One step in float and a rounding
// gives what the narrow type's own instruction would: float has twice its digits and two more, so
// that rounding twice does no harm to + - * and /.
//
// Why it matters, in float16: 1 + 2^-11 is 1, so that 1 + 2^-11 + 2^-11 is 1 step by step, and 1 +
// 2^-10 where it is rounded once.
// Owns: nothing.
// Threads: any.
// Errors: none; what exceeds the narrow type becomes infinite.
#ifndef SWITCHYARD_OPS_FORMULAS_NARROW_H_
#define SWITCHYARD_OPS_FORMULAS_NARROW_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// To::Round(v): v rounded to what the narrow type holds, to nearest even. V: a vector or scalar of
// float. v always holds a number of the narrow type; the constructors believe it.
template <class To, class V>
struct Narrow {
  using Element = typename V::Element;
  V v;
  Narrow() = default;
  SY_FN explicit Narrow(V x) : v(x) {}
  SY_FN explicit Narrow(Element x) : v(x) {}  // a number that the narrow type holds
};

// Rounded once each.
template <class To, class V>
SY_FN Narrow<To, V> operator+(Narrow<To, V> a, Narrow<To, V> b) {
  return Narrow<To, V>(To::Round(a.v + b.v));
}
template <class To, class V>
SY_FN Narrow<To, V> operator-(Narrow<To, V> a, Narrow<To, V> b) {
  return Narrow<To, V>(To::Round(a.v - b.v));
}
template <class To, class V>
SY_FN Narrow<To, V> operator*(Narrow<To, V> a, Narrow<To, V> b) {
  return Narrow<To, V>(To::Round(a.v * b.v));
}
template <class To, class V>
SY_FN Narrow<To, V> operator-(Narrow<To, V> a) {  // exact
  return Narrow<To, V>(-a.v);
}
// By 0: infinite or NaN, which every narrow float of 16 bits has.
template <class To, class V>
SY_FN Narrow<To, V> operator/(Narrow<To, V> a, Narrow<To, V> b) {
  return Narrow<To, V>(To::Round(a.v / b.v));
}

// What follows is exact: the result of each is a mask, or a number that the narrow type has.
template <class To, class V>
SY_FN auto operator<(Narrow<To, V> a, Narrow<To, V> b) {
  return a.v < b.v;
}
template <class To, class V>
SY_FN auto operator>(Narrow<To, V> a, Narrow<To, V> b) {
  return a.v > b.v;
}
// Masks are those of V.
template <class To, class V>
SY_FN auto operator==(Narrow<To, V> a, Narrow<To, V> b) {
  return a.v == b.v;
}
template <class To, class V>
SY_FN auto operator!=(Narrow<To, V> a, Narrow<To, V> b) {
  return a.v != b.v;
}
// Nothing is rounded: both hold numbers of the narrow type.
template <class M, class To, class V>
SY_FN Narrow<To, V> select(M mask, Narrow<To, V> a, Narrow<To, V> b) {
  return Narrow<To, V>(select(mask, a.v, b.v));
}
// Signs and integers of a narrow number are narrow numbers.
template <class To, class V>
SY_FN Narrow<To, V> abs(Narrow<To, V> a) {
  return Narrow<To, V>(abs(a.v));
}
template <class To, class V>
SY_FN Narrow<To, V> floor(Narrow<To, V> a) {
  return Narrow<To, V>(floor(a.v));
}
template <class To, class V>
SY_FN Narrow<To, V> trunc(Narrow<To, V> a) {
  return Narrow<To, V>(trunc(a.v));
}
template <class To, class V>
SY_FN Narrow<To, V> copysign(Narrow<To, V> magnitude, Narrow<To, V> sign) {
  return Narrow<To, V>(copysign(magnitude.v, sign.v));
}
// Exact as well: a remainder has no more digits than what it is left of.
template <class To, class V>
SY_FN Narrow<To, V> fmod(Narrow<To, V> a, Narrow<To, V> b) {
  return Narrow<To, V>(fmod(a.v, b.v));
}

// Functions of the vocabulary, rounded: those that formulas need. Another formula adds its own.
template <class To, class V>
SY_FN Narrow<To, V> log(Narrow<To, V> a) {
  return Narrow<To, V>(To::Round(log(a.v)));
}
template <class To, class V>
SY_FN Narrow<To, V> exp(Narrow<To, V> a) {
  return Narrow<To, V>(To::Round(exp(a.v)));
}
template <class To, class V>
SY_FN Narrow<To, V> erf(Narrow<To, V> a) {
  return Narrow<To, V>(To::Round(erf(a.v)));
}

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_NARROW_H_
