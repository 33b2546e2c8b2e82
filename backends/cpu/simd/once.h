// Loops of functions that come from a library: compiled once, for every processor, since three
// copies of a call are worth nothing.
//
//   const LoopKernel digamma{kOnce<f::Digamma, OfDouble<Digamma>>};
//
// Such a file is compiled for the baseline alone, and may include the standard library. Formulas
// of scalars whose arithmetic stands in ops/formulas need none (simd/formula_loops.h).
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_ONCE_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_ONCE_H_

#include "switchyard/backends/cpu/engine/loop_kernel.h"
#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/library.h"

namespace sy::cpu {

template <class F, class Op>
inline constexpr LoopTable kOnceTable = baseline::MakeTable<F, Op>();

// The loops of formula F by arithmetic Op.
template <class F, class Op>
inline constexpr LoopSet kOnce{kOnceTable<F, Op>, kFormula<F>};

// Arithmetic that is a function of doubles.
template <double (*kFunction)(double)>
struct OfDouble : f::Formula {
  static constexpr bool kScalarOnly = true;
  template <class T>
  SY_FN f::Num<T> operator()(f::Num<T> a) const {
    return static_cast<T>(kFunction(a.v));
  }
};
template <double (*kFunction)(double, double)>
struct OfTwoDoubles : f::Formula {
  static constexpr bool kScalarOnly = true;
  template <class T>
  SY_FN f::Num<T> operator()(f::Num<T> a, f::Num<T> b) const {
    return static_cast<T>(kFunction(a.v, b.v));
  }
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_ONCE_H_
