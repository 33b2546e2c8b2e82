// Reductions: how many numbers become one, through a state that is carried along.
//
//   f::Sum r;  auto s = r.First(x0, Step{0, 1});  s = r.Add(s, x1, Step{1, 2});
//   s = r.Combine(s, t, 2, 5);
//
// A reduction states its state, what one element makes of it, and how two states combine; from that
// come reductions along memory and across it, over lanes, blocks and threads. States are numbers of
// the vocabulary or structs of them, so the same text serves scalars and vectors of lanes.
// Owns: nothing.
// Threads: any.
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

// --- Values that an associative formula combines; kEmpty: the result of nothing, -1 if there is
// none.
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

// The same of a function of each element.
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

struct ZeroIfNan : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return select(isnan(a), V(0.0), a);
  }
};

struct And : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a & b;
  }
};

using Sum = FoldBy<Add, 0>;
using Prod = FoldBy<Mul, 1>;
using Max = FoldBy<Maximum, -1>;
using Min = FoldBy<Minimum, -1>;
using Any = FoldBy<Or, 0>;  // of 0 and 1
using All = FoldBy<And, 1>;
using NanSum = FoldOf<Add, ZeroIfNan, 0>;
using SumOfMagnitudes = FoldOf<Add, Abs, 0>;
using SumOfSquares = FoldOf<Add, Square, 0>;

// --- The extreme value and where it is; the first one of equals, NaN before everything.
template <class V, class I>
struct Located {
  V value;
  I at;
};

struct NotAtMost {
  template <class V>
  SY_FN auto operator()(V b, V a) const {
    return !(b <= a);
  }
};
struct NotAtLeast {
  template <class V>
  SY_FN auto operator()(V b, V a) const {
    return !(b >= a);
  }
};

// Beats()(b, a): b, which comes later, is better than a, which is not NaN; true for a NaN b.
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
using MaxAt = ExtremeAt<NotAtMost>;
using MinAt = ExtremeAt<NotAtLeast>;

// --- Mean and sum of squared deviations from it.
template <class V>
struct MomentsOf {
  V mean, squares;
};

// Source: B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
// Technometrics 4 (1962); combining: T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and
// a pairwise algorithm for computing sample variances", COMPSTAT 1982.
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
  template <class V>
  SY_FN MomentsOf<V> Combine(MomentsOf<V> a, MomentsOf<V> b, double n_a, double n_b) const {
    const double part = n_b / (n_a + n_b);
    const V delta = b.mean - a.mean;
    return {a.mean + delta * V(part), a.squares + b.squares + delta * delta * V(n_a * part)};
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_REDUCE_H_
