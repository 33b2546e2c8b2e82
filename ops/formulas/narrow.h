// Numbers that round to a narrower type after every operation, as if the processor computed in it.
//
//   Narrow<ToFloat16, Num<float>> a, b;  a / b   is ToFloat16::Round(a.v / b.v)
//
// For formulas whose value on 16-bit floats is defined step by step (Formula::kRoundsEachStep):
// elsewhere they compute in float and round once, at the end.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_NARROW_H_
#define SWITCHYARD_OPS_FORMULAS_NARROW_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// To::Round(v): v rounded to what the narrow type holds. V: a vector or scalar of float.
template <class To, class V>
struct Narrow {
  using Element = typename V::Element;
  V v;
  Narrow() = default;
  SY_FN explicit Narrow(V x) : v(x) {}
  SY_FN explicit Narrow(Element x) : v(x) {}  // a number that the narrow type holds
};

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
SY_FN Narrow<To, V> operator/(Narrow<To, V> a, Narrow<To, V> b) {
  return Narrow<To, V>(To::Round(a.v / b.v));
}

// What follows is exact.
template <class To, class V>
SY_FN auto operator<(Narrow<To, V> a, Narrow<To, V> b) {
  return a.v < b.v;
}
template <class To, class V>
SY_FN auto operator>(Narrow<To, V> a, Narrow<To, V> b) {
  return a.v > b.v;
}
template <class To, class V>
SY_FN auto operator==(Narrow<To, V> a, Narrow<To, V> b) {
  return a.v == b.v;
}
template <class To, class V>
SY_FN auto operator!=(Narrow<To, V> a, Narrow<To, V> b) {
  return a.v != b.v;
}
template <class M, class To, class V>
SY_FN Narrow<To, V> select(M mask, Narrow<To, V> a, Narrow<To, V> b) {
  return Narrow<To, V>(select(mask, a.v, b.v));
}
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
template <class To, class V>
SY_FN Narrow<To, V> fmod(Narrow<To, V> a, Narrow<To, V> b) {
  return Narrow<To, V>(fmod(a.v, b.v));
}

// Functions of the vocabulary, rounded.
template <class To, class V>
SY_FN Narrow<To, V> log(Narrow<To, V> a) {
  return Narrow<To, V>(To::Round(log(a.v)));
}
template <class To, class V>
SY_FN Narrow<To, V> erf(Narrow<To, V> a) {
  return Narrow<To, V>(To::Round(erf(a.v)));
}

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_NARROW_H_
