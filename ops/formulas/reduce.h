// Reductions: how many numbers become one, through a state that is carried along.
//
//   f::Sum r;  auto s = r.First(x0, Step{0, 1});  s = r.Add(s, x1, Step{1, 2});
//   s = r.Combine(s, t, 2, 5);
//
// A reduction states its state, what one element makes of it, and how two states combine; from that
// come reductions along memory and across it, over lanes, blocks and threads. States are numbers of
// the vocabulary or structs of them, so the same text serves scalars and vectors of lanes.
//
// Each has
//
//   kState                   what its state is made of
//   kEmpty                   the result of no elements, -1 if there is none
//   First(x, step)           the state of one element
//   Add(s, x, step)          s with one element more
//   Combine(a, b, n_a, n_b)  of two states with so many elements each, a's before b's
//
// In which order elements are added and combined is each backend's, and the last bits of sums
// depend on it; what is said of NaN and of equals holds for every order.
//
// What each gives, and what it carries:
//
//   Sum, NanSum, SumOfMagnitudes, SumOfSquares   a number; 0 of nothing
//   Prod                                         a number; 1 of nothing
//   Max, Min                                     a number; there is none of nothing
//   Any, All                                     a truth; false and true of nothing
//   MaxAt, MinAt                                 a number and its position; none of nothing
//   Moments                                      mean and squares, in double
// Owns: nothing.
// Threads: any; a state belongs to whoever carries it.
// Errors: none. An operator without kEmpty refuses to reduce nothing.
#ifndef SWITCHYARD_OPS_FORMULAS_REDUCE_H_
#define SWITCHYARD_OPS_FORMULAS_REDUCE_H_

#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::f {

// Where an element stands; the same for all lanes of a vector.
struct Step {
  long at;     // its position in the lane
  long count;  // elements in the state once it is added
};

// What a state is made of.
enum class StateKind {
  kValue,    // a number like the elements
  kLocated,  // a number and its position
  kMoments,  // mean and sum of squared deviations, in double precision
};

// --- Values that an associative formula combines. Op: the formula, of two states; kEmptyValue: see
// kEmpty above. The counts are not looked at.
template <class Op, int kEmptyValue>
struct FoldBy {
  static constexpr StateKind kState = StateKind::kValue;
  static constexpr int kEmpty = kEmptyValue;
  template <class V>
  SY_FN V First(V x, Step) const {
    return x;
  }
  template <class V>
  SY_FN V Add(V s, V x, Step) const {
    return Op()(s, x);
  }
  template <class V>
  SY_FN V Combine(V a, V b, double, double) const {
    return Op()(a, b);
  }
};

// The same of a function of each element: Of()(x) in place of x.
template <class Op, class Of, int kEmptyValue>
struct FoldOf : FoldBy<Op, kEmptyValue> {
  template <class V>
  SY_FN V First(V x, Step) const {
    return Of()(x);
  }
  template <class V>
  SY_FN V Add(V s, V x, Step) const {
    return Op()(s, Of()(x));
  }
};

// What nansum makes of an element; sums of nothing but NaN are 0.
struct ZeroIfNan : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return select(isnan(a), V(0.0), a);
  }
};

// The product of truths, 0 and 1.
struct And : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a & b;
  }
};

// Sums of 16-bit floats are carried in float, those of integers in int64, as the kernels load them.
using Sum = FoldBy<Add, 0>;
using Prod = FoldBy<Mul, 1>;
// NaN if any is (Maximum); there is no largest of nothing.
using Max = FoldBy<Maximum, -1>;
using Min = FoldBy<Minimum, -1>;
using Any = FoldBy<Or, 0>;   // of 0 and 1
using All = FoldBy<And, 1>;  // of nothing: true
// Sums of a function of each element; a norm's root is taken by the kernel.
using NanSum = FoldOf<Add, ZeroIfNan, 0>;
using SumOfMagnitudes = FoldOf<Add, Abs, 0>;
using SumOfSquares = FoldOf<Add, Square, 0>;

// --- The extreme value and where it is; the first one of equals, NaN before everything. at: its
// position in what is reduced, counted from 0.
template <class V, class I>
struct Located {
  V value;
  I at;
};

// Better for a maximum: b > a, or b is NaN.
struct NotAtMost {
  template <class V>
  SY_FN auto operator()(V b, V a) const {
    return !(b <= a);
  }
};
// Better for a minimum: b < a, or b is NaN.
struct NotAtLeast {
  template <class V>
  SY_FN auto operator()(V b, V a) const {
    return !(b >= a);
  }
};

// Beats()(b, a): b, which comes later, is better than a, which is not NaN; true for a NaN b. The
// first of several equal or NaN elements wins, in whatever order states are combined: Combine looks
// at the positions.
template <class Beats>
struct ExtremeAt {
  static constexpr StateKind kState = StateKind::kLocated;
  static constexpr int kEmpty = -1;
  // I: the numbers that count positions in lanes of V.
  template <class I, class V>
  SY_FN Located<V, I> First(V x, Step step) const {
    return {x, I(typename I::Element(step.at))};
  }
  template <class V, class I>
  SY_FN Located<V, I> Add(Located<V, I> s, V x, Step step) const {
    const auto wins = Beats()(x, s.value) & !isnan(s.value);
    return {select(wins, x, s.value), select(wins, I(typename I::Element(step.at)), s.at)};
  }
  template <class V, class I>
  SY_FN Located<V, I> Combine(Located<V, I> a, Located<V, I> b, double, double) const {
    const auto nan = isnan(a.value) & isnan(b.value);
    const auto earlier = ((a.value == b.value) | nan) & (b.at < a.at);
    const auto wins = (Beats()(b.value, a.value) & !isnan(a.value)) | earlier;
    return {select(wins, b.value, a.value), select(wins, b.at, a.at)};
  }
};
// argmax, and max along one dimension, which gives values and positions; and the same of min.
using MaxAt = ExtremeAt<NotAtMost>;
using MinAt = ExtremeAt<NotAtLeast>;

// --- Mean and sum of squared deviations from it. The variance is squares / (n - correction).
template <class V>
struct MomentsOf {
  V mean, squares;
};

// Source: B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
// Technometrics 4 (1962); combining: T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and
// a pairwise algorithm for computing sample variances", COMPSTAT 1982. For var, std, var_mean and
// std_mean. One pass over the elements, and no difference of large sums: a mean far from 0 costs
// few digits. A NaN makes both parts NaN, an infinity the squares.
struct Moments {
  static constexpr StateKind kState = StateKind::kMoments;
  static constexpr int kEmpty = 0;
  template <class V>
  SY_FN MomentsOf<V> First(V x, Step) const {
    return {x, x - x};  // NaN for what is not finite
  }
  template <class V>
  SY_FN MomentsOf<V> Add(MomentsOf<V> s, V x, Step step) const {
    const V delta = x - s.mean;
    const V mean = s.mean + delta * V(1.0 / static_cast<double>(step.count));
    return {mean, s.squares + delta * (x - mean)};
  }
  // n_a, n_b: not both 0.
  template <class V>
  SY_FN MomentsOf<V> Combine(MomentsOf<V> a, MomentsOf<V> b, double n_a, double n_b) const {
    const double part = n_b / (n_a + n_b);
    const V delta = b.mean - a.mean;
    return {a.mean + delta * V(part), a.squares + b.squares + delta * delta * V(n_a * part)};
  }
};

// --- The dtypes that they serve; widened: in a wider one (WidenedSum). Of others, an operator's
// kernel says what it does.
SY_FACTS(Sum, .dtypes = Bit(DType::kInt64) | kHalves | kFloats | kComplexes,
         .widened = kBool | (kIntegers & ~Bit(DType::kInt64)) | kWideUnsigned)
SY_FACTS(Prod, .dtypes = Bit(DType::kInt64) | kHalves | kFloats | kComplexes,
         .widened = kBool | (kIntegers & ~Bit(DType::kInt64)) | kWideUnsigned)
SY_FACTS(NanSum, .dtypes = kHalves | kFloats)
SY_FACTS(SumOfMagnitudes, .dtypes = kHalves | kFloats)
SY_FACTS(SumOfSquares, .dtypes = kHalves | kFloats)
SY_FACTS(Max, .dtypes = kBool | kIntegers | kHalves | kFloats)
SY_FACTS(Min, .dtypes = kBool | kIntegers | kHalves | kFloats)
SY_FACTS(MaxAt, .dtypes = kBool | kIntegers | kHalves | kFloats)
SY_FACTS(MinAt, .dtypes = kBool | kIntegers | kHalves | kFloats)
SY_FACTS(Any, .dtypes = kBool)
SY_FACTS(All, .dtypes = kBool)
SY_FACTS(Moments, .dtypes = kFloats, .widened = kHalves)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_REDUCE_H_
