// Formulas of rounding, and of what is left: integers of floats, remainders of divisions.
//
//   f::Remainder()(a, b)
//
// Results of roundings are floats still; infinities, NaN and -0 stay what they are. Integers have
// none of these formulas: their operators copy them.
//
// For instance:
//
//                -2.5    -1.5   -0.5    0.5    1.5    2.5
//   Ceil          -2      -1     -0      1      2      3
//   Floor         -3      -2     -1      0      1      2
//   Trunc         -2      -1     -0      0      1      2
//   Round         -2      -2     -0      0      2      2
//   Frac         -0.5    -0.5   -0.5    0.5    0.5    0.5
//
//                7, 3    -7, 3   7, -3   -7, -3   -7, inf   7, 0
//   Fmod          1       -1      1       -1       -7       nan
//   Remainder     1        2     -2       -1       inf      nan
//
// Owns: nothing.
// Threads: any.
// Errors: none; an integer divided by 0 is refused by the operator (kInvalidValue).
#ifndef SWITCHYARD_OPS_FORMULAS_ROUNDING_H_
#define SWITCHYARD_OPS_FORMULAS_ROUNDING_H_

#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// The smallest integer that is not below a; -0 for a in (-1, 0).
// Operator: ceil.
struct Ceil : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return ceil(a);
  }
};
SY_FORMULA(Ceil, .dtypes = kHalves | kFloats)

// The largest integer that is not above a.
// Operator: floor.
struct Floor : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return floor(a);
  }
};
SY_FORMULA(Floor, .dtypes = kHalves | kFloats)

// a without what follows the point: the nearest integer not farther from 0.
// Operator: trunc; ATen also has it as fix.
struct Trunc : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return trunc(a);
  }
};
SY_FORMULA(Trunc, .dtypes = kHalves | kFloats)

// To the nearest integer, halves to the even one: 0.5 gives 0, 1.5 and 2.5 give 2.
// Operator: round, and round.decimals with 0.
struct Round : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return rint(a);
  }
};
SY_FORMULA(Round, .dtypes = kHalves | kFloats)
// To a multiple of 1 / scale, scale being 10^decimals: a * scale may overflow, and then the result
// is infinite.
// Operator: round.decimals with positive decimals.
struct RoundToParts : Formula {
  template <class V>
  SY_FN V operator()(V a, V scale) const {
    return rint(a * scale) / scale;
  }
};
SY_FORMULA(RoundToParts, .params = 1, .dtypes = kHalves | kFloats)
// To a multiple of scale, 10^-decimals.
// Operator: round.decimals with negative decimals.
struct RoundToMultiples : Formula {
  template <class V>
  SY_FN V operator()(V a, V scale) const {
    return rint(a / scale) * scale;
  }
};
SY_FORMULA(RoundToMultiples, .params = 1, .dtypes = kHalves | kFloats)

// What trunc cuts off, with a's sign; NaN of an infinity.
// Operator: frac.
struct Frac : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a - trunc(a);
  }
};
SY_FORMULA(Frac, .dtypes = kHalves | kFloats)

// The remainder of a division rounded towards 0: it has a's sign. Integers: b = 0 is refused
// beforehand. Floats: exact, also where a / b overflows, as it does for the smallest b; NaN at b =
// 0 and for an infinite a, a itself for an infinite b.
// Operator: fmod.
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
SY_FORMULA(Fmod, .inputs = 2, .dtypes = kIntegers | kHalves | kFloats)

// The remainder of a division rounded down: it has b's sign, as Python's %. Floats: the sum r + b
// is rounded, so that a tiny negative a gives b itself, and a negative one by inf gives inf.
// Operator: remainder.
struct Remainder : LongFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    const V zero = V(typename V::Element(0)), r = Fmod()(a, b);
    return select((r != zero) & ((r < zero) != (b < zero)), r + b, r);
  }
};
SY_FORMULA(Remainder, .inputs = 2, .dtypes = kIntegers | kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_ROUNDING_H_
