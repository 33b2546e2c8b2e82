// States of reductions, over lanes and as scalars: how they lie in memory, how lanes fold into one.
//
//   StateOf<f::StateKind::kLocated, float>   values and positions of float lanes
//
// Each offers: In (how elements are read), Lanes and One (a vector of states, and one state),
// Load/Store of Lanes, LoadOne/StoreOne in a reduced block's narrow form, Fold.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_STATE_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_STATE_H_

#include "switchyard/backends/cpu/simd/io.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cpu::SY_ISA {

using f::Located;
using f::MomentsOf;
using f::StateKind;
using f::Step;

// What elements of a type are combined in.
// 16-bit floats are summed as float: a partial result in memory has that type, too.
template <class T>
struct AccumulatorOf {
  using Type = T;
};
template <>
struct AccumulatorOf<Float16> {
  using Type = float;
};
template <>
struct AccumulatorOf<BFloat16> {
  using Type = float;
};

// Bytes in memory as int64 lanes.
struct WideByte {};
template <>
struct AccumulatorOf<WideByte> {
  using Type = int64_t;
};
template <>
struct Io<WideByte> {
  using V = Vec<int64_t>;
  using S = Num<int64_t>;
  static constexpr int kLanes = V::kLanes;
  static SY_FN V Load(const void* p, size_t i) {
    return Convert<int64_t>(LoadRaw<Raw<uint8_t, kLanes>>(At<uint8_t>(p, i)));
  }
  static SY_FN S LoadOne(const void* p, size_t i) { return int64_t{*At<uint8_t>(p, i)}; }
};

// --- Lanes moved kBy places down.
template <int kBy, int kN>
struct RotateLanes {
  static constexpr int At(int i) { return (i + kBy) % kN; }
};
// Of a state of several numbers each of them moves.
template <int kBy, class T>
SY_FN Vec<T> Rotate(Vec<T> a) {
  return Shuffle<RotateLanes<kBy, Vec<T>::kLanes>>(a.v, a.v);
}
template <int kBy, class V>
SY_FN Complex<V> Rotate(Complex<V> a) {
  return {Rotate<kBy>(a.re), Rotate<kBy>(a.im)};
}
template <int kBy, class V>
SY_FN MomentsOf<V> Rotate(MomentsOf<V> a) {
  return {Rotate<kBy>(a.mean), Rotate<kBy>(a.squares)};
}
// Where a fold leaves its result.
template <class T>
SY_FN Num<T> FirstLane(Vec<T> a) {
  return a.v[0];
}
template <class T>
SY_FN Complex<Num<T>> FirstLane(Complex<Vec<T>> a) {
  return {FirstLane(a.re), FirstLane(a.im)};
}
template <class T>
SY_FN MomentsOf<Num<T>> FirstLane(MomentsOf<Vec<T>> a) {
  return {FirstLane(a.mean), FirstLane(a.squares)};
}
// All lanes, each of n elements, into one state, in a tree.
template <class Red, int kBy, class S>
SY_FN S FoldLanes(S a, double n) {
  a = Red().Combine(a, Rotate<kBy>(a), n, n);
  if constexpr (kBy > 1) {
    return FoldLanes<Red, kBy / 2>(a, 2 * n);
  } else {
    return a;
  }
}

// By kind of state (ops/formulas/reduce.h): one value; a value and where it was found; mean and sum
// of squares. s[] are the arrays that hold its parts, j counts states.
template <StateKind kKind, class T>
struct StateOf;

template <class T>
struct StateOf<StateKind::kValue, T> {
  using In = Io<T>;
  using Memory = Io<typename AccumulatorOf<T>::Type>;
  using Lanes = typename In::V;
  using One = typename In::S;
  template <class Red>
  static SY_FN Lanes First(Lanes x, Step step) {
    return Red().First(x, step);
  }
  template <class Red>
  static SY_FN One FirstOne(One x, Step step) {
    return Red().First(x, step);
  }
  static SY_FN Lanes Load(void* const* s, size_t j) { return Memory::Load(s[0], j); }
  static SY_FN void Store(void* const* s, size_t j, Lanes a) { Memory::Store(s[0], j, a); }
  static SY_FN One LoadOne(void* const* s, size_t j) { return Memory::LoadOne(s[0], j); }
  static SY_FN void StoreOne(void* const* s, size_t j, One a) { Memory::StoreOne(s[0], j, a); }
  template <class Red>
  static SY_FN One Fold(Lanes a, double n) {
    if constexpr (In::kLanes == 1) return FirstLane(a);
    return FirstLane(FoldLanes<Red, In::kLanes / 2>(a, n));
  }
};

// float in memory as double lanes.
struct WideFloatIo {
  using V = Vec<double>;
  using S = Num<double>;
  static constexpr int kLanes = V::kLanes;
  static SY_FN V Load(const void* p, size_t i) {
    return Convert<double>(LoadRaw<Raw<float, kLanes>>(At<float>(p, i)));
  }
  static SY_FN S LoadOne(const void* p, size_t i) { return double(*At<float>(p, i)); }
};
template <class T>
struct WideIoOf;
template <>
struct WideIoOf<float> {
  using Type = WideFloatIo;
};
template <>
struct WideIoOf<double> {
  using Type = Io<double>;
};

template <class T>
struct StateOf<StateKind::kMoments, T> {
  using In = typename WideIoOf<T>::Type;
  using Memory = Io<double>;
  using Lanes = MomentsOf<Vec<double>>;
  using One = MomentsOf<Num<double>>;
  template <class Red>
  static SY_FN Lanes First(Vec<double> x, Step step) {
    return Red().First(x, step);
  }
  template <class Red>
  static SY_FN One FirstOne(Num<double> x, Step step) {
    return Red().First(x, step);
  }
  static SY_FN Lanes Load(void* const* s, size_t j) {
    return {Memory::Load(s[0], j), Memory::Load(s[1], j)};
  }
  static SY_FN void Store(void* const* s, size_t j, Lanes a) {
    Memory::Store(s[0], j, a.mean);
    Memory::Store(s[1], j, a.squares);
  }
  static SY_FN One LoadOne(void* const* s, size_t j) {
    return {Memory::LoadOne(s[0], j), Memory::LoadOne(s[1], j)};
  }
  static SY_FN void StoreOne(void* const* s, size_t j, One a) {
    Memory::StoreOne(s[0], j, a.mean);
    Memory::StoreOne(s[1], j, a.squares);
  }
  template <class Red>
  static SY_FN One Fold(Lanes a, double n) {
    return FirstLane(FoldLanes<Red, In::kLanes / 2>(a, n));
  }
};

// In lanes, positions are integers of the lanes' size, which count vectors (along) or rows
// (across).
template <class T>
struct StateOf<StateKind::kLocated, T> {
  using In = Io<T>;
  using A = typename AccumulatorOf<T>::Type;
  using At = Int<sizeof(A)>;
  using Memory = Io<A>;
  using Positions = Io<At>;
  using Lanes = Located<Vec<A>, Vec<At>>;
  using One = Located<Num<A>, Num<int64_t>>;
  template <class Red>
  static SY_FN Lanes First(Vec<A> x, Step step) {
    return Red().template First<Vec<At>>(x, step);
  }
  template <class Red>
  static SY_FN One FirstOne(Num<A> x, Step step) {
    return Red().template First<Num<int64_t>>(x, step);
  }
  static SY_FN Lanes Load(void* const* s, size_t j) {
    return {Memory::Load(s[0], j), Positions::Load(s[1], j)};
  }
  static SY_FN void Store(void* const* s, size_t j, Lanes a) {
    Memory::Store(s[0], j, a.value);
    Positions::Store(s[1], j, a.at);
  }
  static SY_FN One LoadOne(void* const* s, size_t j) {
    return {Memory::LoadOne(s[0], j), Num<int64_t>(Positions::LoadOne(s[1], j).v)};
  }
  static SY_FN void StoreOne(void* const* s, size_t j, One a) {
    Memory::StoreOne(s[0], j, a.value);
    Positions::StoreOne(s[1], j, Num<At>(static_cast<At>(a.at.v)));
  }
  // A finished state's position is an int64.
  static SY_FN One LoadWide(void* const* s, size_t j) {
    return {Memory::LoadOne(s[0], j), Io<int64_t>::LoadOne(s[1], j)};
  }
  static SY_FN void StoreWide(void* const* s, size_t j, One a) {
    Memory::StoreOne(s[0], j, a.value);
    Io<int64_t>::StoreOne(s[1], j, a.at);
  }
  // Positions in lanes become positions of elements.
  template <class Red>
  static SY_FN One Fold(Lanes a, double) {
    constexpr int kLanes = In::kLanes;
    One r{Num<A>(a.value.v[0]), Num<int64_t>(int64_t{a.at.v[0]} * kLanes)};
    alignas(SY_VECTOR_BYTES) A values[kLanes];
    alignas(SY_VECTOR_BYTES) At ats[kLanes];
    a.value.Store(values);
    a.at.Store(ats);
    for (int i = 1; i < kLanes; ++i) {
      const One b{Num<A>(values[i]), Num<int64_t>(int64_t{ats[i]} * kLanes + i)};
      r = Red().Combine(r, b, 1, 1);
    }
    return r;
  }
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_STATE_H_
