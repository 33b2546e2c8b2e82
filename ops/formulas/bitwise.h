// Formulas of integers: their bits, where bool is 0 and 1, and common divisors.
//
//   f::BitwiseXor()(a, b)
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_BITWISE_H_
#define SWITCHYARD_OPS_FORMULAS_BITWISE_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct BitwiseAnd : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a & b;
  }
};

struct BitwiseXor : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a ^ b;
  }
};

struct BitwiseOr : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a | b;
  }
};

struct NotBool : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a ^ V(typename V::Element(1));
  }
};
struct BitwiseNot : SignAgnosticFormula {
  using OnBool = NotBool;
  template <class V>
  SY_FN V operator()(V a) const {
    return a ^ V(typename V::Element(-1));
  }
};

// By fewer than no or by all bits: what is left is 0, or copies of the sign.
struct LeftShift : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    using E = typename V::Element;
    const V zero = V(E(0)), most = V(E(8 * sizeof(E) - 1));
    const auto out = (b < zero) | (b > most);
    return select(out, zero, a << select(out, zero, b));
  }
};
struct RightShift : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    using E = typename V::Element;
    const V zero = V(E(0)), most = V(E(8 * sizeof(E) - 1));
    const auto out = (b < zero) | (b > most);
    const V shifted = a >> select(out, most, b);
    return kIsSigned<E> ? shifted : select(out, zero, shifted);
  }
};

// Euclid's algorithm, of magnitudes.
struct Gcd : Formula {
  static constexpr bool kScalarOnly = true;
  template <class V>
  SY_FN V operator()(V a, V b) const {
    a = abs(a);
    b = abs(b);
    const V zero = V(typename V::Element(0));
    while (b != zero) {
      const V rest = a - a / b * b;
      a = b;
      b = rest;
    }
    return a;
  }
};
struct Lcm : Formula {
  static constexpr bool kScalarOnly = true;
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return abs(a / Gcd()(a, b) * b);  // 0 by 0 is 0
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_BITWISE_H_
