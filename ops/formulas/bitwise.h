// Formulas of integers: their bits, where bool is 0 and 1, and common divisors.
//
//   f::BitwiseXor()(a, b)
//
// Signed integers are in two's complement. No formula here takes floats or complex numbers; their
// operators answer kNotImplemented.
//
// Shifts of 32-bit integers:
//
//                  1, 31    1, 32    1, -1    -8, 1    -8, 99
//   LeftShift      -2^31      0        0       -16        0
//   RightShift        0       0        0        -4       -1
// Owns: nothing.
// Threads: any.
// Errors: none: shifts by too much and divisors of 0 have a value.
#ifndef SWITCHYARD_OPS_FORMULAS_BITWISE_H_
#define SWITCHYARD_OPS_FORMULAS_BITWISE_H_

#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// Bits set in both; of bool the logical and.
// Operator: bitwise_and.
struct BitwiseAnd : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a & b;
  }
};
SY_FORMULA(BitwiseAnd, .inputs = 2, .dtypes = kBool | kIntegers | kWideUnsigned)

// Bits set in one; of bool whether they differ.
// Operator: bitwise_xor.
struct BitwiseXor : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a ^ b;
  }
};
SY_FORMULA(BitwiseXor, .inputs = 2, .dtypes = kBool | kIntegers | kWideUnsigned)

// Bits set in at least one; of bool the logical or.
// Operator: bitwise_or.
struct BitwiseOr : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a | b;
  }
};
SY_FORMULA(BitwiseOr, .inputs = 2, .dtypes = kBool | kIntegers | kWideUnsigned)

// 1 - a of a bool: the other bits of its byte stay 0.
struct NotBool : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a ^ V(typename V::Element(1));
  }
};
// All bits flipped: -1 - a of signed integers; the logical not of bool.
// Operator: bitwise_not. logical_not, of every dtype, is LogicalNot.
struct BitwiseNot : SignAgnosticFormula {
  using OnBool = NotBool;
  template <class V>
  SY_FN V operator()(V a) const {
    return a ^ V(typename V::Element(-1));
  }
};
SY_FORMULA(BitwiseNot, .dtypes = kBool | kIntegers)

// a times 2^b, with what exceeds the dtype cut off. b below 0, or not below the number of bits,
// shifts everything out: 0, where C++ would be undefined. Not of bool.
// Operator: bitwise_left_shift.
struct LeftShift : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    using E = typename V::Element;
    const V zero = V(E(0)), most = V(E(8 * sizeof(E) - 1));
    const auto out = (b < zero) | (b > most);
    return select(out, zero, a << select(out, zero, b));
  }
};
SY_FORMULA(LeftShift, .inputs = 2, .dtypes = kIntegers)
// a divided by 2^b and rounded down: copies of the sign come in from the left. b out of range: 0,
// or -1 for a negative a.
// Operator: bitwise_right_shift.
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
SY_FORMULA(RightShift, .inputs = 2, .dtypes = kIntegers)

// The greatest common divisor, by Euclid's algorithm of magnitudes; gcd(a, 0) = |a|, gcd(0, 0) = 0.
// At most some 90 divisions for 64 bits, one number at a time. The smallest integer has no
// magnitude, and gcd with 0 gives it back negative.
// Operator: gcd.
struct Gcd : Formula {
  static constexpr bool kScalarOnly = true;
  template <class V>
  SY_FN V operator()(V a, V b) const {
    a = abs(a);
    b = abs(b);
    const V zero = V(typename V::Element(0));
    // gcd(a, b) = gcd(b, a mod b).
    while (b != zero) {
      const V rest = a - a / b * b;
      a = b;
      b = rest;
    }
    return a;
  }
};
SY_FORMULA(Gcd, .inputs = 2, .dtypes = kIntegers)
// The least common multiple, not negative, |a / gcd * b|; 0 where one is 0. It wraps around where
// it exceeds the dtype.
// Operator: lcm.
struct Lcm : Formula {
  static constexpr bool kScalarOnly = true;
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return abs(a / Gcd()(a, b) * b);  // 0 by 0 is 0
  }
};
SY_FORMULA(Lcm, .inputs = 2, .dtypes = kIntegers)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_BITWISE_H_
