// Formulas of arithmetic: sums, products, quotients, signs and roundings.
//
//   f::AddScaled()(a, b, alpha)   a, b, alpha: numbers of one kind, scalar or vector
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_ARITHMETIC_H_
#define SWITCHYARD_OPS_FORMULAS_ARITHMETIC_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct Or : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a | b;
  }
};

struct Add : SignAgnosticFormula {
  using OnBool = Or;  // what the operator is for bool, if not the same on 0 and 1
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a + b;
  }
};

// a + alpha * b
struct OrScaled : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b, V alpha) const {
    return a | (alpha & b);
  }
};
struct AddScaled : SignAgnosticFormula {
  using OnBool = OrScaled;
  static constexpr bool kRoundsEachStep = true;
  template <class V>
  SY_FN V operator()(V a, V b, V alpha) const {
    return a + alpha * b;
  }
};

struct Sub : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a - b;
  }
};

struct Mul : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a * b;
  }
};

// Of the bits of a 16-bit float.
struct FlipSign : Formula {
  template <class V>
  SY_FN V operator()(V bits) const {
    return bits ^ V(static_cast<short>(-0x8000));
  }
};
struct ClearSign : Formula {
  template <class V>
  SY_FN V operator()(V bits) const {
    return bits & V(short{0x7fff});
  }
};

struct Neg : SignAgnosticFormula {
  using OnHalf = FlipSign;  // what the operator is for the bits of 16-bit floats, if shorter
  template <class V>
  SY_FN V operator()(V a) const {
    return -a;
  }
};

struct Magnitude : TranscendentalFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    return abs(a);
  }
};
struct Abs : Formula {
  using OnHalf = ClearSign;
  using OnComplex = Magnitude;  // what the operator is for complex numbers, if not the same
  template <class V>
  SY_FN auto operator()(V a) const {
    return abs(a);
  }
};

// Leaves numbers as they are: ceil and floor of integers, copies.
struct Identity : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a;
  }
};

struct Div : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a / b;
  }
};

// a + factor * b * c
struct AddProduct : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b, V c, V factor) const {
    return a + factor * b * c;
  }
};

// beta x + alpha a b, and without x: elements of outer products.
struct AddOuterTruths : Formula {
  template <class V>
  SY_FN V operator()(V x, V a, V b, V beta, V alpha) const {
    return (beta & x) | (alpha & a & b);
  }
};
struct AddOuter : Formula {
  static constexpr bool kRoundsEachStep = true;
  using OnBool = AddOuterTruths;
  template <class V>
  SY_FN V operator()(V x, V a, V b, V beta, V alpha) const {
    return beta * x + alpha * a * b;
  }
};
struct OuterTruths : Formula {
  template <class V>
  SY_FN V operator()(V a, V b, V alpha) const {
    return alpha & a & b;
  }
};
struct Outer : Formula {
  static constexpr bool kRoundsEachStep = true;
  using OnBool = OuterTruths;
  template <class V>
  SY_FN V operator()(V a, V b, V alpha) const {
    return alpha * a * b;
  }
};

// a + factor * b / c
struct AddQuotient : Formula {
  template <class V>
  SY_FN V operator()(V a, V b, V c, V factor) const {
    return a + factor * b / c;
  }
};

// Quotient rounded towards 0. Integers: b = 0 is refused beforehand.
struct DivTrunc : LongFormula {
  static constexpr bool kRoundsEachStep = true;
  template <class V>
  SY_FN V operator()(V a, V b) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return trunc(a / b);
    } else {
      return a / b;
    }
  }
};

// Quotient rounded down, as Python's //: of floats, consistent with the remainder, so that
// a = b * (a // b) + a % b holds as well as rounding allows.
// Source: CPython float_floor_div (Objects/floatobject.c), which ATen's div_floor_floating follows.
struct DivFloor : LongFormula {
  static constexpr bool kRoundsEachStep = true;
  template <class V>
  SY_FN V operator()(V a, V b) const {
    using E = typename V::Element;
    const V zero = V(E(0)), one = V(E(1));
    if constexpr (kIsFloat<E>) {
      const V remainder = fmod(a, b), quotient = a / b, infinity = one / zero;
      // A quotient that overflows needs no remainder, which not every fmod knows then.
      const auto overflow = (abs(quotient) == infinity) & (abs(a) != infinity);
      V div = select(overflow, a, a - remainder) / b;
      div = select((remainder != zero) & ((b < zero) != (remainder < zero)), div - one, div);
      V rounded = floor(div);
      rounded = select(div - rounded > V(E(0.5)), rounded + one, rounded);
      rounded = select(div == zero, copysign(zero, quotient), rounded);
      return select(b == zero, quotient, rounded);
    } else if constexpr (kIsSigned<E>) {
      const V div = a / b;
      return select(((a < zero) != (b < zero)) & (div * b != a), div - one, div);
    } else {
      return a / b;
    }
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_ARITHMETIC_H_
