// Formulas that compare: truth of relations, the larger or smaller of two numbers, choices.
//
//   f::Lt()(a, b)   a mask;   f::Maximum()(a, b), f::Where()(mask, a, b)   a number
//
// Operands have one dtype when they come here: an operator promotes them before, int64 and float32
// to float32 for instance, and what that rounds away is not compared. Relations with NaN are false,
// but for Ne. Complex numbers are equal or not and have no order.
//
// With NaN and with zeros of either sign:
//
//               1, nan   nan, 1   nan, nan   0, -0   -0, 0
//   Eq            f        f         f         t       t
//   Ne            t        t         t         f       f
//   Lt, Gt        f        f         f         f       f
//   Le, Ge        f        f         f         t       t
//   Maximum      nan      nan       nan       -0       0
//   Minimum      nan      nan       nan       -0       0
//   Fmax          1        1        nan       -0       0
//   Fmin          1        1        nan       -0       0
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_COMPARE_H_
#define SWITCHYARD_OPS_FORMULAS_COMPARE_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// a = b: 0 equals -0, NaN equals nothing. Complex numbers are equal in both parts. 8-bit floats and
// complex32 are compared in a wider dtype, which changes no answer.
// Operator: eq.
struct Eq : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a == b;
  }
};
SY_FORMULA(Eq, .inputs = 2, .signature = kTruth,
           .dtypes = kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
           .widened = kComplex32 | kFloat8s)

// The opposite of Eq, so that NaN differs from everything, itself too.
// Operator: ne; ATen also has it as not_equal.
struct Ne : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a != b;
  }
};
SY_FORMULA(Ne, .inputs = 2, .signature = kTruth,
           .dtypes = kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes,
           .widened = kComplex32 | kFloat8s)

// a < b. bool is an integer of 0 and 1, false before true.
// Operator: lt; ATen also has it as less.
struct Lt : Formula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a < b;
  }
};
SY_FORMULA(Lt, .inputs = 2, .signature = kTruth, .dtypes = kBool | kIntegers | kHalves | kFloats)

// a <= b; not the opposite of Gt where NaN is.
// Operator: le; ATen also has it as less_equal.
struct Le : Formula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a <= b;
  }
};
SY_FORMULA(Le, .inputs = 2, .signature = kTruth, .dtypes = kBool | kIntegers | kHalves | kFloats)

// a > b.
// Operator: gt; ATen also has it as greater.
struct Gt : Formula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a > b;
  }
};
SY_FORMULA(Gt, .inputs = 2, .signature = kTruth, .dtypes = kBool | kIntegers | kHalves | kFloats)

// a >= b.
// Operator: ge; ATen also has it as greater_equal.
struct Ge : Formula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a >= b;
  }
};
SY_FORMULA(Ge, .inputs = 2, .signature = kTruth, .dtypes = kBool | kIntegers | kHalves | kFloats)

// Whether a is 0: true for -0, false for NaN. A complex number is 0 in both parts.
// Operator: logical_not. Of bits, see BitwiseNot.
struct LogicalNot : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    return a == V(0);
  }
};
SY_FORMULA(LogicalNot, .signature = kTruth,
           .dtypes = kBool | kIntegers | kHalves | kFloats | kComplexes)

// Neither is 0. NaN is not 0 and counts as true, here and below.
// Operator: logical_and.
struct LogicalAnd : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return (a != V(0)) & (b != V(0));
  }
};
SY_FORMULA(LogicalAnd, .inputs = 2, .signature = kTruth,
           .dtypes = kBool | kIntegers | kHalves | kFloats | kComplexes)

// At least one is not 0.
// Operator: logical_or.
struct LogicalOr : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return (a != V(0)) | (b != V(0));
  }
};
SY_FORMULA(LogicalOr, .inputs = 2, .signature = kTruth,
           .dtypes = kBool | kIntegers | kHalves | kFloats | kComplexes)

// One is 0 and the other is not.
// Operator: logical_xor.
struct LogicalXor : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return (a != V(0)) != (b != V(0));
  }
};
SY_FORMULA(LogicalXor, .inputs = 2, .signature = kTruth,
           .dtypes = kBool | kIntegers | kHalves | kFloats | kComplexes)

// The larger one; NaN if either is. Of 0 and -0, which are equal, the second.
// Operator: maximum, max.other, clamp_min; and the reductions max and amax (reduce.h).
struct Maximum : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select(isnan(a), a, larger(a, b));
  }
};
SY_FORMULA(Maximum, .inputs = 2, .dtypes = kBool | kIntegers | kHalves | kFloats)

// The smaller one, with the same rules.
// Operator: minimum, min.other, clamp_max; and the reductions min and amin.
struct Minimum : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select(isnan(a), a, smaller(a, b));
  }
};
SY_FORMULA(Minimum, .inputs = 2, .dtypes = kBool | kIntegers | kHalves | kFloats)

// The larger one; where one is NaN the other, NaN only if both are. Of equal numbers the second.
// Operator: fmax.
struct Fmax : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select((a > b) | isnan(b), a, b);
  }
};
SY_FORMULA(Fmax, .inputs = 2, .dtypes = kBool | kIntegers | kHalves | kFloats)

// The smaller one, with the same rules.
// Operator: fmin.
struct Fmin : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select((a < b) | isnan(b), a, b);
  }
};
SY_FORMULA(Fmin, .inputs = 2, .dtypes = kBool | kIntegers | kHalves | kFloats)

// a limited to [low, high]; high where low is above it; NaN if any of the three is. With one bound
// alone, kernels take Maximum or Minimum.
// Operator: clamp (which ATen also has as clip), hardtanh, relu6.
struct Clamp : Formula {
  template <class V>
  SY_FN V operator()(V a, V low, V high) const {
    const V limited = smaller(high, larger(low, a));  // NaN where a is
    return select(isnan(low), low, select(isnan(high), high, limited));
  }
};
SY_FORMULA(Clamp, .inputs = 3, .dtypes = kIntegers | kHalves | kFloats)

// a where the mask holds, else b. Their bits are chosen and not computed with, so every dtype is
// served, NaN keeps its bits, and what is not chosen has no effect. M: the mask of V's lanes.
// Operator: where.
struct Where : Formula {
  template <class M, class V>
  SY_FN V operator()(M mask, V a, V b) const {
    return select(mask, a, b);
  }
};
SY_FORMULA(Where, .inputs = 3, .signature = kSelect, .dtypes = kAllTypes)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_COMPARE_H_
