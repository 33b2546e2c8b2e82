// Formulas that tell what kind of number one is, and those that go by its sign.
//
//   f::IsFinite()(a)   a mask;   f::Sign()(a)   a number
//
// The questions (signature kTruth) have a mask as result: one bool for a scalar, one per lane for a
// vector. Integers and bool have no NaN and no infinities, and the answer to them is constant; they
// are asked all the same, so that an operator takes every dtype. complex32 and 8-bit floats are
// answered after a conversion to a wider dtype, which is exact.
//
// Answers, where a number may have it (t: true, f: false):
//
//               -inf  -1   -0    0    1   inf   nan
//   IsNan         f    f    f    f    f    f     t
//   IsInf         t    f    f    f    f    t     f
//   IsFinite      f    t    t    t    t    f     f
//   IsPosInf      f    f    f    f    f    t     f
//   IsNegInf      t    f    f    f    f    f     f
//   IsReal        t    t    t    t    t    t     t
//   SignBit       t    t    t    f    f    f    its own
//   Sign         -1   -1    0    0    1    1     0
//   Heaviside b   0    0    b    b    1    1     0
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_CLASSIFY_H_
#define SWITCHYARD_OPS_FORMULAS_CLASSIFY_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// Not equal to itself. A complex number is NaN where a part is.
// Operator: isnan.
struct IsNan : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    return a != a;
  }
};
SY_FORMULA(IsNan, .signature = kTruth,
           .dtypes = kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
           .widened = kComplex32 | kFloat8s)

// Infinite, of either sign. A complex number is infinite where a part is, whatever the other is:
// NaN beside an infinity counts. float8_e4m3fn, which has no infinities, is not among the dtypes.
// Operator: isinf.
struct IsInf : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return abs(a) == V(__builtin_inf());
    } else {
      return a != a;
    }
  }
  template <class V>
  SY_FN auto operator()(Complex<V> a) const {
    return (*this)(a.re) | (*this)(a.im);
  }
};
SY_FORMULA(IsInf, .signature = kTruth,
           .dtypes = kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
           .widened = kComplex32 | Bit(DType::kFloat8E5M2))

// Neither infinite nor NaN. A complex number is finite where both parts are.
// Operator: isfinite.
struct IsFinite : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return abs(a) < V(__builtin_inf());
    } else {
      return a == a;
    }
  }
  template <class V>
  SY_FN auto operator()(Complex<V> a) const {
    return (*this)(a.re) & (*this)(a.im);
  }
};
SY_FORMULA(IsFinite, .signature = kTruth,
           .dtypes = kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
           .widened = kComplex32 | Bit(DType::kFloat8E5M2))

// Infinite and positive. Complex numbers have no such thing and are refused.
// Operator: isposinf.
struct IsPosInf : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return a == V(__builtin_inf());
    } else {
      return a != a;
    }
  }
};
SY_FORMULA(IsPosInf, .signature = kTruth,
           .dtypes = kBool | kIntegers | kWideUnsigned | kHalves | kFloats)

// Infinite and negative.
// Operator: isneginf.
struct IsNegInf : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return a == V(-__builtin_inf());
    } else {
      return a != a;
    }
  }
};
SY_FORMULA(IsNegInf, .signature = kTruth,
           .dtypes = kBool | kIntegers | kWideUnsigned | kHalves | kFloats)

// Whether the imaginary part is 0 or -0; always for a dtype that is not complex, NaN included.
// Operator: isreal.
struct IsReal : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    return (a == a) | (a != a);
  }
  template <class V>
  SY_FN auto operator()(Complex<V> a) const {
    return a.im == V(0.0);
  }
};
SY_FORMULA(IsReal, .signature = kTruth,
           .dtypes = kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
           .widened = kComplex32 | kFloat8s)

// Whether the sign bit is set: of -0 and of a NaN with that bit too, which a < 0 would not tell.
// Operator: signbit.
struct SignBit : Formula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return copysign(V(1.0), a) < V(0.0);
    } else {
      return a < V(0);
    }
  }
};
SY_FORMULA(SignBit, .signature = kTruth, .dtypes = kBool | kIntegers | kHalves | kFloats)

// -1, 0 or 1; 0 for NaN and for both zeros.
// Operator: sign, through sgn.
struct Sign : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    using E = typename V::Element;
    const V zero = V(E(0));
    return select(a > zero, V(E(1)), select(a < zero, V(E(-1)), zero));
  }
};

// For complex numbers, the point of the unit circle in a's direction, a / |a|; 0 of 0. |a| does not
// overflow (hypot), yet an infinite part gives NaN: inf / inf.
struct Direction : TranscendentalFormula {
  static constexpr bool kScalarUnlessFloat = false;
  template <class V>
  SY_FN Complex<V> operator()(Complex<V> a) const {
    const V length = abs(a), zero = V(0.0);
    const auto is_zero = length == zero;
    return {select(is_zero, zero, a.re / length), select(is_zero, zero, a.im / length)};
  }
};

// The two above as one operator: Sign of real numbers, Direction of complex ones.
// Operator: sgn. In ATen as here, sign is for real numbers only.
struct Sgn : Sign {
  using OnComplex = Direction;
};
SY_FORMULA(Sgn, .dtypes = kBool | kIntegers | kHalves | kFloats | kComplexes, .widened = kComplex32)

// a with NaN and infinities replaced; parts of complex numbers each by itself, with the real parts
// of the parameters. The parameters are as the operator defaults them: 0, and the largest and
// smallest finite number of the dtype.
// Operator: nan_to_num, which copies integers.
struct NanToNum : Formula {
  template <class V>
  SY_FN V operator()(V a, V nan, V positive, V negative) const {
    const V infinity = V(__builtin_inf());
    const V finite = select(a == infinity, positive, select(a == -infinity, negative, a));
    return select(isnan(a), nan, finite);
  }
  template <class V>
  SY_FN Complex<V> operator()(Complex<V> a, Complex<V> nan, Complex<V> positive,
                              Complex<V> negative) const {
    return {(*this)(a.re, nan.re, positive.re, negative.re),
            (*this)(a.im, nan.re, positive.re, negative.re)};
  }
};
SY_FORMULA(NanToNum, .params = 3, .dtypes = kHalves | kFloats | kComplexes)

// The step function: 0 where a < 0, 1 where a > 0, b at both zeros; 0 for NaN, as ATen has it.
// Operator: heaviside.
struct Heaviside : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    using E = typename V::Element;
    const V zero = V(E(0));
    return select(a == zero, b, select(a > zero, V(E(1)), zero));
  }
};
SY_FORMULA(Heaviside, .inputs = 2, .dtypes = kBool | kIntegers | kHalves | kFloats)

// The magnitude of a with the sign of b, of zeros and NaN too; a NaN a keeps the rest of its bits.
// Operator: copysign.
struct Copysign : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return copysign(a, b);
  }
};
SY_FORMULA(Copysign, .inputs = 2, .dtypes = kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_CLASSIFY_H_
