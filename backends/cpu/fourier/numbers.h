// Complex numbers side by side, for Fourier transforms: one of as many lines as a register has
// lanes; how they are read from memory and written to it.
//
//   Cx<float> x = LoadTogether<float>(p);        // kLanes numbers one after the other
//   x = Times(x, Root<float>{0, -1});            // each by -j
//   Transpose(many.re); Transpose(many.im);      // lines for elements
//
// Compiled once per instruction set, and in its namespace (simd/vec.h).
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_FOURIER_NUMBERS_H_
#define SWITCHYARD_BACKENDS_CPU_FOURIER_NUMBERS_H_

#include "switchyard/backends/cpu/simd/array.h"
#include "switchyard/backends/cpu/simd/io.h"

namespace sy::cpu::SY_ISA {

template <class T>
inline constexpr int kLanesOf = Vec<T>::kLanes;

// A number of each line: real parts, imaginary parts.
template <class T>
struct Cx {
  Raw<T> re, im;
};
// What all lines are multiplied by.
template <class T>
struct Root {
  T re, im;
};

template <class T>
SY_FN Raw<T> Everywhere(T x) {
  return x - Raw<T>{};
}

template <class T>
SY_FN Cx<T> operator+(Cx<T> a, Cx<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
SY_FN Cx<T> operator-(Cx<T> a, Cx<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
SY_FN Cx<T> Times(Cx<T> a, Cx<T> b) {
  return {MultiplyAdd(a.re, b.re, -(a.im * b.im)), MultiplyAdd(a.re, b.im, a.im * b.re)};
}
template <class T>
SY_FN Cx<T> Times(Cx<T> a, Root<T> b) {
  return Times(a, Cx<T>{Everywhere(b.re), Everywhere(b.im)});
}
template <class T>
SY_FN Cx<T> Conj(Cx<T> a) {
  return {a.re, -a.im};
}
// By j, and by -j.
template <class T>
SY_FN Cx<T> TimesJ(Cx<T> a) {
  return {-a.im, a.re};
}
template <class T>
SY_FN Cx<T> OverJ(Cx<T> a) {
  return {a.im, -a.re};
}
// Real and imaginary parts exchanged: the forward transform between two of these is the backward
// one.
template <class T>
SY_FN Cx<T> Exchanged(Cx<T> a, bool exchange) {
  return exchange ? Cx<T>{a.im, a.re} : a;
}
template <class T>
SY_FN Cx<T> Scaled(Cx<T> a, T scale) {
  return {a.re * scale, a.im * scale};
}

// kLanes numbers that memory has one after the other, parts alternating; or the first `count`.
template <class T>
SY_FN Cx<T> LoadTogether(const T* p) {
  const auto v = Io<Complex<T>>::Load(p, 0);
  return {v.re.v, v.im.v};
}
template <class T>
SY_FN void StoreTogether(T* p, Cx<T> x) {
  Io<Complex<T>>::Store(p, 0, {Vec<T>(x.re), Vec<T>(x.im)});
}
// Around the cache, to a multiple of a register's bytes.
template <class T>
SY_FN void StreamTogether(T* p, Cx<T> x) {
  Io<Complex<T>>::Stream(p, 0, {Vec<T>(x.re), Vec<T>(x.im)});
}
// In pieces of sizes that the compiler knows.
template <class T, int kPiece = kLanesOf<T> / 2>
SY_FN void CopyNumbers(T* to, const T* from, int64_t count) {
  if constexpr (kPiece > 0) {
    if (count & kPiece) {
      __builtin_memcpy(to, from, 2 * kPiece * sizeof(T));
      to += 2 * kPiece;
      from += 2 * kPiece;
    }
    CopyNumbers<T, kPiece / 2>(to, from, count);
  }
}
template <class T>
SY_FN Cx<T> LoadTogether(const T* p, int64_t count) {
  if (count >= kLanesOf<T>) return LoadTogether(p);
  Cx<T> room{};
  CopyNumbers(reinterpret_cast<T*>(&room), p, count);
  return LoadTogether(reinterpret_cast<const T*>(&room));
}
template <class T>
SY_FN void StoreTogether(T* p, Cx<T> x, int64_t count) {
  if (count >= kLanesOf<T>) return StoreTogether(p, x);
  Cx<T> room;
  StoreTogether(reinterpret_cast<T*>(&room), x);
  CopyNumbers(p, reinterpret_cast<const T*>(&room), count);
}

// The other way round.
template <int kN>
struct LastFirst {
  static constexpr int At(int i) { return kN - 1 - i; }
};
template <class T>
SY_FN Cx<T> Reversed(Cx<T> a) {
  using Order = LastFirst<kLanesOf<T>>;
  return {Shuffle<Order>(a.re, a.re), Shuffle<Order>(a.im, a.im)};
}

// --- kLanes vectors as the rows of a matrix, which become its columns: in each step the blocks
// beside the diagonal change places, of one lane, of 2, of 4 …
template <int kN, int kBlock>
struct UpperBlocks {
  static constexpr int At(int i) { return (i & kBlock) ? i - kBlock + kN : i; }
};
template <int kN, int kBlock>
struct LowerBlocks {
  static constexpr int At(int i) { return (i & kBlock) ? i + kN : i + kBlock; }
};
template <int kBlock = 1, class R, int kN>
SY_FN void Transpose(R (&rows)[kN]) {
  if constexpr (kBlock < kN) {
#pragma GCC unroll 16
    for (int i = 0; i < kN; ++i) {
      if (i & kBlock) continue;
      const R a = rows[i], b = rows[i + kBlock];
      rows[i] = Shuffle<UpperBlocks<kN, kBlock>>(a, b);
      rows[i + kBlock] = Shuffle<LowerBlocks<kN, kBlock>>(a, b);
    }
    Transpose<2 * kBlock>(rows);
  }
}
// As many numbers as there are lanes, of as many lines.
template <class T>
struct Square {
  Raw<T> re[kLanesOf<T>], im[kLanesOf<T>];
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_FOURIER_NUMBERS_H_
