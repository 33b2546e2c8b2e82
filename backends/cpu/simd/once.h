// Loops that are compiled once, for every processor: of functions too rare, or too slow by
// themselves, to be worth three copies.
//
//   const LoopKernel gcd{"gcd", kOnce<Binary, f::Gcd, kIntegers>};
//
// The formula states kScalarOnly. A file with such loops is compiled for baseline x86-64 alone, and
// may include the standard library.
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_ONCE_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_ONCE_H_

#include "switchyard/backends/cpu/simd/register.h"

namespace sy::cpu {

using baseline::Binary;
using baseline::Unary;

template <class Sig, class Op, DTypeMask kDirect>
inline constexpr LoopTable kOnceTable = baseline::MakeTable<Sig, Op, kDirect, 0>();

// The loops of formula Op for computations in these dtypes.
template <class Sig, class Op, DTypeMask kDirect>
inline constexpr LoopSet kOnce{kOnceTable<Sig, Op, kDirect>,
                               kOnceTable<Sig, Op, kDirect>,
                               kOnceTable<Sig, Op, kDirect>,
                               Sig::kSignature,
                               Sig::kArity,
                               false,
                               kDirect,
                               0};

// A formula that is a function of doubles.
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
