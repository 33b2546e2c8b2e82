// Formulas of arithmetic: sums, products, quotients, signs.
//
//   f::AddScaled()(a, b, alpha)   a, b, alpha: numbers of one kind, scalar or vector
//
// Integers wrap around on overflow, signed ones too; floats follow IEEE 754, each operation rounded
// by itself. 16-bit floats compute in float and round once, but in formulas that say
// kRoundsEachStep. bool has sums and products of its own (OnBool): or, and and. Some formulas are
// what an operator is in one case only, as AddScaled of `add` with an alpha other than 1; a kernel
// chooses.
//
// Quotients by kind:
//
//                7, 2    -7, 2   7, -2   -7, -2   7, 0   -7, inf
//   Div           3.5    -3.5    -3.5     3.5     inf      -0
//   DivTrunc       3      -3      -3       3      inf      -0
//   DivFloor       3      -4      -4       3      inf      -1
// Owns: nothing.
// Threads: any.
// Errors: none; what an operator refuses, as integers divided by 0, it refuses before.
#ifndef SWITCHYARD_OPS_FORMULAS_ARITHMETIC_H_
#define SWITCHYARD_OPS_FORMULAS_ARITHMETIC_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// The sum of truths.
struct Or : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a | b;
  }
};

// a + b; or of bool. Complex by parts; complex32 in complex64, rounded once.
// Operator: add with an alpha of 1.
struct Add : SignAgnosticFormula {
  // A formula's member types name what takes its place for some dtypes: OnBool, OnHalf, OnComplex.
  using OnBool = Or;  // what the operator is for bool, if not the same on 0 and 1
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a + b;
  }
};
SY_FORMULA(Add, .inputs = 2, .dtypes = kBool | kIntegers | kHalves | kFloats | kComplexes,
           .widened = kComplex32)

// a + alpha * b of truths: b counts where alpha is true.
struct OrScaled : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b, V alpha) const {
    return a | (alpha & b);
  }
};
// a + alpha * b: the product and the sum are rounded each, in the dtype itself even of 16-bit
// floats. An alpha of 0 does not hide b: 0 * inf is NaN.
// Operators: add, sub and rsub (alpha negated) with an alpha other than 1.
struct AddScaled : SignAgnosticFormula {
  using OnBool = OrScaled;
  static constexpr bool kRoundsEachStep = true;
  template <class V>
  SY_FN V operator()(V a, V b, V alpha) const {
    return a + alpha * b;
  }
};
SY_FORMULA(AddScaled, .inputs = 3, .dtypes = kBool | kIntegers | kHalves | kFloats | kComplexes,
           .widened = kComplex32)

// a - b. bool is refused by the operators, as in ATen.
// Operators: sub, rsub; ATen also has them as subtract.
struct Sub : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a - b;
  }
};
SY_FORMULA(Sub, .inputs = 2, .dtypes = kIntegers | kHalves | kFloats | kComplexes,
           .widened = kComplex32)

// a b; and of bool, since 0 and 1 multiply as they should. Complex: the four products of school, so
// that (inf + 0i)(1 + 0i) has a NaN part. last = kKept: a 0-dim tensor or number at the end is not
// rounded to a 16-bit float first.
// Operator: mul; ATen also has it as multiply.
struct Mul : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a * b;
  }
};
SY_FORMULA(Mul, .inputs = 2, .last = kKept,
           .dtypes = kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
           .widened = kComplex32 | kFloat8s)

// The sign bit of a 16-bit float, given as its bits: shorter than through float, and NaN keeps the
// rest of its bits.
struct FlipSign : Formula {
  template <class V>
  SY_FN V operator()(V bits) const {
    return bits ^ V(static_cast<short>(-0x8000));
  }
};
// The same bit set to 0.
struct ClearSign : Formula {
  template <class V>
  SY_FN V operator()(V bits) const {
    return bits & V(short{0x7fff});
  }
};

// -a. The smallest integer is its own negative, unsigned ones wrap: 2^n - a. Of floats 0 becomes
// -0.
// Operator: neg; ATen also has it as negative.
struct Neg : SignAgnosticFormula {
  using OnHalf = FlipSign;  // what the operator is for the bits of 16-bit floats, if shorter
  template <class V>
  SY_FN V operator()(V a) const {
    return -a;
  }
};
SY_FORMULA(Neg, .dtypes = kIntegers | kHalves | kFloats | kComplexes, .widened = kComplex32)

// a| of a complex number, a real one, by hypot: neither overflows nor vanishes on the way.
struct Magnitude : TranscendentalFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    return abs(a);
  }
};
// a|; of complex numbers the length, in the dtype of their parts. The smallest integer stays
// negative, since its magnitude has no place in the dtype.
// Operator: abs; ATen also has it as absolute.
struct Abs : Formula {
  using OnHalf = ClearSign;
  using OnComplex = Magnitude;  // what the operator is for complex numbers, if not the same
  template <class V>
  SY_FN auto operator()(V a) const {
    return abs(a);
  }
};
SY_FORMULA(Abs, .signature = kReal, .dtypes = kIntegers | kHalves | kFloats | kComplexes,
           .widened = kComplex32 | kFloat8s)

// Leaves numbers as they are: ceil and floor of integers, copies.
struct Identity : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a;
  }
};

// a / b. Floats: infinite or NaN at b = 0. Complex: scaled, see complex.h. Integers do not come
// here: the operator divides them in the default dtype. last = kKept: as of Mul.
// Operator: div without a rounding mode, true_divide; ATen also has it as divide.
struct Div : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a / b;
  }
};
SY_FORMULA(Div, .inputs = 2, .last = kKept, .dtypes = kHalves | kFloats | kComplexes)

// a + factor * b * c, from the left: (factor * b) * c; integers wrap.
// Operator: addcmul.
struct AddProduct : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b, V c, V factor) const {
    return a + factor * b * c;
  }
};
SY_FORMULA(AddProduct, .inputs = 3, .params = 1,
           .dtypes = kIntegers | kHalves | kFloats | kComplexes, .widened = kComplex32)

// beta x + alpha a b of truths.
struct AddOuterTruths : Formula {
  template <class V>
  SY_FN V operator()(V x, V a, V b, V beta, V alpha) const {
    return (beta & x) | (alpha & a & b);
  }
};
// beta x + alpha a b: an element x of a matrix, and those of two vectors whose outer product is
// added. Not computed where beta is 0: then Outer is, and NaN in x is not seen.
// Operator: addr.
struct AddOuter : Formula {
  static constexpr bool kRoundsEachStep = true;
  using OnBool = AddOuterTruths;
  template <class V>
  SY_FN V operator()(V x, V a, V b, V beta, V alpha) const {
    return beta * x + alpha * a * b;
  }
};
SY_FACTS(AddOuter, .inputs = 3, .params = 2,
         .dtypes = kBool | kIntegers | kHalves | kFloats | kComplexes)
// alpha a b of truths.
struct OuterTruths : Formula {
  template <class V>
  SY_FN V operator()(V a, V b, V alpha) const {
    return alpha & a & b;
  }
};
// alpha a b: the same without x.
struct Outer : Formula {
  static constexpr bool kRoundsEachStep = true;
  using OnBool = OuterTruths;
  template <class V>
  SY_FN V operator()(V a, V b, V alpha) const {
    return alpha * a * b;
  }
};
SY_FACTS(Outer, .inputs = 2, .params = 1,
         .dtypes = kBool | kIntegers | kHalves | kFloats | kComplexes)

// a + factor * b / c, from the left: (factor * b) / c.
// Operator: addcdiv, which refuses b and c that are both integers, as ATen does.
struct AddQuotient : Formula {
  template <class V>
  SY_FN V operator()(V a, V b, V c, V factor) const {
    return a + factor * b / c;
  }
};
SY_FORMULA(AddQuotient, .inputs = 3, .params = 1, .dtypes = kHalves | kFloats | kComplexes)

// Quotient rounded towards 0. Integers: b = 0 is refused beforehand; here it gives 0, and the
// smallest integer by -1 wraps around to itself. Floats: a / b is rounded before it is cut,
// infinite at b = 0.
// Operator: div with the mode "trunc".
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
SY_FORMULA(DivTrunc, .inputs = 2, .dtypes = kIntegers | kHalves | kFloats)

// Quotient rounded down, as Python's //: of floats, consistent with the remainder, so that a = b *
// (a // b) + a % b holds as well as rounding allows. That is why 1 // 0.1 is 9: the float 0.1 is
// more than a tenth. At b = 0 it is a / b, infinite or NaN; a small negative a by inf is -1.
// Source: CPython float_floor_div (Objects/floatobject.c), which ATen's div_floor_floating follows.
// Operators: floor_divide, div with the mode "floor".
struct DivFloor : LongFormula {
  static constexpr bool kRoundsEachStep = true;
  template <class V>
  SY_FN V operator()(V a, V b) const {
    using E = typename V::Element;
    const V zero = V(E(0)), one = V(E(1));
    if constexpr (kIsFloat<E>) {
      // The remainder is exact; a minus it is a multiple of b.
      const V remainder = fmod(a, b), quotient = a / b, infinity = one / zero;
      // A quotient that overflows needs no remainder, which not every fmod knows then.
      const auto overflow = (abs(quotient) == infinity) & (abs(a) != infinity);
      // Near a whole number, which the following steps find.
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
SY_FORMULA(DivFloor, .inputs = 2, .dtypes = kIntegers | kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_ARITHMETIC_H_
