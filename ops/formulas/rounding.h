// Formulas of rounding, and of what is left: integers of floats, remainders of divisions.
//
//   f::Remainder()(a, b)
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_ROUNDING_H_
#define SWITCHYARD_OPS_FORMULAS_ROUNDING_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct Ceil : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return ceil(a);
  }
};

struct Floor : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return floor(a);
  }
};

struct Trunc : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return trunc(a);
  }
};

// To the nearest integer, halves to the even one.
struct Round : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return rint(a);
  }
};
// To a multiple of 1 / scale, and of scale.
struct RoundToParts : Formula {
  template <class V>
  SY_FN V operator()(V a, V scale) const {
    return rint(a * scale) / scale;
  }
};
struct RoundToMultiples : Formula {
  template <class V>
  SY_FN V operator()(V a, V scale) const {
    return rint(a / scale) * scale;
  }
};

// What trunc cuts off.
struct Frac : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a - trunc(a);
  }
};

// The remainder of a division rounded towards 0: it has a's sign. Integers: b = 0 is refused
// beforehand. Floats: exact, also where a / b overflows, as it does for the smallest b.
struct Fmod : LongFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return fmod(a, b);
    } else {
      return a - a / b * b;
    }
  }
};

// The remainder of a division rounded down: it has b's sign.
struct Remainder : LongFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    const V zero = V(typename V::Element(0)), r = Fmod()(a, b);
    return select((r != zero) & ((r < zero) != (b < zero)), r + b, r);
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_ROUNDING_H_
