// The number vocabulary over vectors: Vec<T>, as many lanes as a register of this instruction set
// has.
//
//   Vec<float> a = Vec<float>::Load(p), b(2.0f);  select(a < b, a * b, a).Store(q);
//
// Over the compiler's vector types; the functions are those of ops/formulas/vocab.h. A file that
// includes this is compiled once per instruction set, with that set's flags, and everything lies in
// a namespace of the set: the linker must not merge two sets' functions. For the same reason no
// header of the standard library is included. A mask belongs to a lane size, not to a type: a
// comparison of floats may select 32-bit integers.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_VEC_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_VEC_H_

#include "switchyard/backends/cpu/simd/instructions.h"
#include "switchyard/backends/cpu/simd/raw.h"

namespace sy::cpu::SY_ISA {

using f::kIsFloat;
using f::kIsSigned;
using f::kSameType;

// --- Numbers
template <int kBytes>
struct Mask {
  Raw<Int<kBytes>> m;  // lanes of 0 or -1
};
template <class T>
using MaskOf = Mask<sizeof(T)>;

// Passed by value: one register. A number becomes a vector of it in every lane.
template <class T>
struct Vec {
  using Element = T;
  static constexpr int kLanes = SY_VECTOR_BYTES / sizeof(T);
  Raw<T> v;
  Vec() = default;
  SY_FN Vec(Raw<T> r) : v(r) {}
  SY_FN Vec(T x) : v(x - Raw<T>{}) {}  // NOLINT(google-explicit-constructor): constants in formulas
  static SY_FN Vec Load(const void* p) { return LoadRaw<Raw<T>>(p); }
  SY_FN void Store(void* p) const { StoreRaw(p, v); }
};

// Lane by lane. Integers wrap around: the compiler's flags say so (-fwrapv).
template <class T>
SY_FN Vec<T> operator+(Vec<T> a, Vec<T> b) {
  return a.v + b.v;
}
template <class T>
SY_FN Vec<T> operator-(Vec<T> a, Vec<T> b) {
  return a.v - b.v;
}
template <class T>
SY_FN Vec<T> operator*(Vec<T> a, Vec<T> b) {
  return a.v * b.v;
}
template <class T>
SY_FN Vec<T> operator-(Vec<T> a) {
  return -a.v;
}
template <class T>
SY_FN Vec<T> operator&(Vec<T> a, Vec<T> b) {
  return a.v & b.v;
}
template <class T>
SY_FN Vec<T> operator|(Vec<T> a, Vec<T> b) {
  return a.v | b.v;
}
template <class T>
SY_FN Vec<T> operator^(Vec<T> a, Vec<T> b) {
  return a.v ^ b.v;
}
template <class T>
SY_FN Vec<T> operator<<(Vec<T> a, Vec<T> b) {
  return a.v << b.v;
}
template <class T>
SY_FN Vec<T> operator>>(Vec<T> a, Vec<T> b) {
  return a.v >> b.v;
}
// Of floats: false where either is NaN, but for !=.
template <class T>
SY_FN MaskOf<T> operator<(Vec<T> a, Vec<T> b) {
  return {(Raw<Int<sizeof(T)>>)(a.v < b.v)};
}
template <class T>
SY_FN MaskOf<T> operator>(Vec<T> a, Vec<T> b) {
  return {(Raw<Int<sizeof(T)>>)(a.v > b.v)};
}
template <class T>
SY_FN MaskOf<T> operator<=(Vec<T> a, Vec<T> b) {
  return {(Raw<Int<sizeof(T)>>)(a.v <= b.v)};
}
template <class T>
SY_FN MaskOf<T> operator>=(Vec<T> a, Vec<T> b) {
  return {(Raw<Int<sizeof(T)>>)(a.v >= b.v)};
}
template <class T>
SY_FN MaskOf<T> operator==(Vec<T> a, Vec<T> b) {
  return {(Raw<Int<sizeof(T)>>)(a.v == b.v)};
}
template <class T>
SY_FN MaskOf<T> operator!=(Vec<T> a, Vec<T> b) {
  return {(Raw<Int<sizeof(T)>>)(a.v != b.v)};
}

// Masks: all bits of a lane or none, so that the bits' operators are those of truth values.
template <int kBytes>
SY_FN Mask<kBytes> operator&(Mask<kBytes> a, Mask<kBytes> b) {
  return {a.m & b.m};
}
template <int kBytes>
SY_FN Mask<kBytes> operator|(Mask<kBytes> a, Mask<kBytes> b) {
  return {a.m | b.m};
}
template <int kBytes>
SY_FN Mask<kBytes> operator!=(Mask<kBytes> a, Mask<kBytes> b) {
  return {a.m ^ b.m};
}
template <int kBytes>
SY_FN Mask<kBytes> operator!(Mask<kBytes> a) {
  return {~a.m};
}
// Both are computed; lanes of a where the mask is set.
template <class T>
SY_FN Vec<T> select(MaskOf<T> mask, Vec<T> a, Vec<T> b) {
  return mask.m ? a.v : b.v;
}
// No lane of integers is.
template <class T>
SY_FN MaskOf<T> isnan(Vec<T> a) {
  if constexpr (kIsFloat<T>) {
    return a != a;
  } else {
    return {Raw<Int<sizeof(T)>>{}};
  }
}

// --- Conversions of lanes. To and R have the same number of lanes. Floats to integers as the
// processor does; integers to narrower ones keep their low bits. In steps where g++ 12 would go
// lane by lane: it changes the size of integers by a factor of two at a time.
template <class To, class R>
SY_FN auto Convert(R x) {
  using From = RawElement<R>;
  constexpr int kN = sizeof(R) / sizeof(From);
  constexpr bool kFromInt = !kIsFloat<From>;
#if SY_WIDENS_BY_INSTRUCTION
  if constexpr (kFromInt && !kIsFloat<To> && sizeof(From) == 1 && sizeof(To) == 8 &&
                kN == SY_VECTOR_BYTES / 8)
    return (Raw<To>)WidenBytes<kIsSigned<From>>(x);
  else
#endif
      if constexpr (kFromInt && sizeof(From) * 2 < sizeof(To)) {
    using Step = Int<sizeof(From) * 2, kIsSigned<From>>;
    return Convert<To>(__builtin_convertvector(x, Raw<Step, kN>));
  } else if constexpr (kFromInt && sizeof(From) > sizeof(To) * 2 && SY_VECTOR_BYTES < 64) {
    using Step = Int<sizeof(From) / 2>;
    return Convert<To>(__builtin_convertvector(x, Raw<Step, kN>));
  } else {
    return __builtin_convertvector(x, Raw<To, kN>);
  }
}

// For what no instruction does: f gets the lanes as numbers, one after the other.
template <class T, class F>
SY_FN Vec<T> LaneByLane(Vec<T> a, Vec<T> b, F f) {
  Vec<T> r;
  for (int i = 0; i < Vec<T>::kLanes; ++i) r.v[i] = f(f::Num<T>(a.v[i]), f::Num<T>(b.v[i])).v;
  return r;
}

// Integers: towards 0; by 0: something. Quotients of up to 16 bits are exact in float, of 32 in
// double, once truncated: they are at least 2^-16 (2^-32) of themselves away from the next integer.
template <class T>
SY_FN Vec<T> operator/(Vec<T> a, Vec<T> b) {
  if constexpr (kIsFloat<T>) {
    return a.v / b.v;
  } else if constexpr (sizeof(T) <= 2) {
    return Convert<T>(Convert<int32_t>(Convert<float>(a.v) / Convert<float>(b.v)));
  } else if constexpr (sizeof(T) == 4) {
    return Convert<T>(Convert<double>(a.v) / Convert<double>(b.v));
  } else {
    return LaneByLane(a, b, [](f::Num<T> x, f::Num<T> y) { return x / y; });
  }
}

// --- Shuffles. F::At(i): which lane of the two inputs, one after the other, becomes lane i.
// 0 … kN - 1 as a pack, as std::make_index_sequence, whose header may not be included here.
template <int... kI>
struct Indices {};
#if defined(__clang__)
template <class, int... kI>
struct IndicesOf {
  using Type = Indices<kI...>;
};
template <int kN>
using MakeIndices = typename __make_integer_seq<IndicesOf, int, kN>::Type;
#else
template <int kN>
using MakeIndices = Indices<__integer_pack(kN)...>;
#endif
template <class F, class R, int... kI>
SY_FN R Shuffle(R a, R b, Indices<kI...>) {
  return __builtin_shufflevector(a, b, F::At(kI)...);
}
template <class F, class R>
SY_FN R Shuffle(R a, R b) {
  return Shuffle<F>(a, b, MakeIndices<sizeof(R) / sizeof(a[0])>());
}
// The same into a vector of kN lanes.
template <class F, class R, int... kI>
SY_FN auto ShuffleTo(R a, R b, Indices<kI...>) {
  return __builtin_shufflevector(a, b, F::At(kI)...);
}
template <class F, int kN, class R>
SY_FN auto ShuffleTo(R a, R b) {
  return ShuffleTo<F>(a, b, MakeIndices<kN>());
}
template <class F, int kN, class R>
SY_FN auto ShuffleTo(R a) {
  return ShuffleTo<F>(a, a, MakeIndices<kN>());
}

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_VEC_H_
