// Elements as they lie in memory, the numbers in which they are computed, and conversions.
//
//   Convert<BFloat16>(3.0)                  element to element, as every device converts
//   Lower<float>(f::Exp()(Lift(x)))         through the number vocabulary
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_NUMBER_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_NUMBER_H_

#include "switchyard/backends/cuda/device/complex_math.h"
#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/narrow.h"

namespace sy::cuda {

using f::Complex;
using f::kIsFloat;
using f::kSameType;
using f::Num;

using Int64 = long long;
using UInt64 = unsigned long long;

// --- Elements that C++ has no type for.
struct Bool {
  unsigned char bits;
};
struct Float16 {
  unsigned short bits;
};
struct BFloat16 {
  unsigned short bits;
};
struct Float8E4M3FN {
  unsigned char bits;
};
struct Float8E5M2 {
  unsigned char bits;
};
template <class T>
struct alignas(2 * sizeof(T)) Pair {
  using Part = T;
  T re, im;
};

template <class T>
inline constexpr bool kIsPair = false;
template <class T>
inline constexpr bool kIsPair<Pair<T>> = true;
template <class T>
inline constexpr bool kIsHalf = kSameType<T, Float16> || kSameType<T, BFloat16>;
// Through float, whatever from and to.
template <class T>
inline constexpr bool kIsShort =
    kIsHalf<T> || kSameType<T, Float8E4M3FN> || kSameType<T, Float8E5M2>;

template <class To, class From>
SY_FN To BitCast(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To y;
  memcpy(&y, &x, sizeof y);
  return y;
}

// --- Short floats. Formats: IEEE 754 binary16; bfloat16, the upper half of binary32; OCP 8-bit
// E4M3 (finite and NaN) and E5M2. Rounding: to nearest even.

// A float of `kExponent` and `kMantissa` bits below the sign.
template <int kExponent, int kMantissa>
SY_FN float FromShort(unsigned bits) {
  constexpr int kBias = (1 << (kExponent - 1)) - 1, kShift = 23 - kMantissa;
  constexpr unsigned kMagnitude = (1u << (kExponent + kMantissa)) - 1;
  const unsigned a = bits & kMagnitude, sign = (bits & ~kMagnitude) << (31 - kExponent - kMantissa);
  // A product with a power of two moves the exponent's bias; subnormals come out normal.
  const float moved = BitCast<float>(a << kShift) * BitCast<float>(unsigned(254 - kBias) << 23);
  unsigned r = BitCast<unsigned>(moved);
  if constexpr (kExponent == 4) {
    if (a == kMagnitude) r = 0x7fc00000u;
  } else {
    constexpr unsigned kInfinity = ((1u << kExponent) - 1) << kMantissa;
    if (a >= kInfinity) r = 0x7f800000u | (a - kInfinity) << kShift;
  }
  return BitCast<float>(r | sign);
}
template <int kExponent, int kMantissa>
SY_FN unsigned ToShort(float x) {
  constexpr int kBias = (1 << (kExponent - 1)) - 1, kShift = 23 - kMantissa;
  constexpr bool kFiniteOnly = kExponent == 4;  // the greatest exponent holds numbers too
  constexpr unsigned kTop = 1u << (kExponent + kMantissa);
  constexpr unsigned kInfinity = kFiniteOnly ? kTop - 1 : ((1u << kExponent) - 1) << kMantissa;
  constexpr unsigned kNan = kFiniteOnly ? kTop - 1 : kInfinity | (1u << (kMantissa - 1));
  const unsigned u = BitCast<unsigned>(x), a = u & 0x7fffffffu;
  const unsigned sign = u >> 31 << (kExponent + kMantissa);
  if (a > 0x7f800000u) return sign | (kFiniteOnly || kMantissa == 2 ? kTop - 1 : kNan);
  unsigned r;
  if (a < unsigned(128 - kBias) << 23) {  // subnormal: an addition rounds at the last place
    const unsigned magic = unsigned(128 - kBias + kShift) << 23;
    r = BitCast<unsigned>(BitCast<float>(a) + BitCast<float>(magic)) - magic;
  } else {
    const unsigned half = (1u << (kShift - 1)) - 1 + ((a >> kShift) & 1);
    r = (a - (unsigned(127 - kBias) << 23) + half) >> kShift;
  }
  return sign | (r > kInfinity ? kInfinity : r);
}

SY_FN float ToFloat(Float16 x) {
#if defined(SY_EMULATED)
  return FromShort<5, 10>(x.bits);
#else
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x.bits));
  return r;
#endif
}
SY_FN float ToFloat(BFloat16 x) { return BitCast<float>(unsigned(x.bits) << 16); }
SY_FN float ToFloat(Float8E4M3FN x) { return FromShort<4, 3>(x.bits); }
SY_FN float ToFloat(Float8E5M2 x) { return FromShort<5, 2>(x.bits); }

template <class T>
SY_FN T FromFloat(float x) {
  if constexpr (kSameType<T, Float16>) {
#if defined(SY_EMULATED)
    return {static_cast<unsigned short>(ToShort<5, 10>(x))};
#else
    Float16 r;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r.bits) : "f"(x));
    return r;
#endif
  } else if constexpr (kSameType<T, BFloat16>) {
    const unsigned u = BitCast<unsigned>(x);
    if (x != x) return {0x7fc0};
    return {static_cast<unsigned short>((u + 0x7fff + ((u >> 16) & 1)) >> 16)};
  } else if constexpr (kSameType<T, Float8E4M3FN>) {
    return {static_cast<unsigned char>(ToShort<4, 3>(x))};
  } else {
    static_assert(kSameType<T, Float8E5M2>);
    return {static_cast<unsigned char>(ToShort<5, 2>(x))};
  }
}

// --- Conversions. Where C++ defines none, a float outside an integer's range becomes the smallest
// int32 or int64, cut to the bits asked for: what the host's instructions give.
template <class F>
SY_FN Int64 FloatToInt64(F x) {
  return x >= F(-0x1p63) && x < F(0x1p63) ? static_cast<Int64>(x) : Int64(1ull << 63);
}
template <class F>
SY_FN int FloatToInt32(F x) {
  return double(x) > -0x1.00000002p31 && double(x) < 0x1p31 ? static_cast<int>(x)
                                                            : int(0x80000000u);
}
// Integers, float and double.
template <class To, class From>
SY_FN To ConvertNumber(From x) {
  if constexpr (!kIsFloat<From> || kIsFloat<To>) {
    return static_cast<To>(x);
  } else if constexpr (kSameType<To, UInt64>) {
    const bool high = x >= From(0x1p63);
    return UInt64(FloatToInt64(high ? x - From(0x1p63) : x)) ^ (high ? 1ull << 63 : 0ull);
  } else if constexpr (sizeof(To) == 8 || kSameType<To, unsigned char> || kSameType<To, unsigned>) {
    return static_cast<To>(FloatToInt64(x));
  } else {
    return static_cast<To>(FloatToInt32(x));
  }
}

template <class To, class From>
SY_FN To Convert(From x) {
  if constexpr (kSameType<To, From>) {
    return x;
  } else if constexpr (kIsShort<From>) {
    return Convert<To>(ToFloat(x));
  } else if constexpr (kSameType<From, Bool>) {
    return Convert<To>(x.bits);
  } else if constexpr (kSameType<From, Pair<Float16>>) {
    return Convert<To>(Pair<float>{ToFloat(x.re), ToFloat(x.im)});
  } else if constexpr (kIsPair<From>) {
    if constexpr (kSameType<To, Bool>) {
      return {static_cast<unsigned char>(x.re != 0 || x.im != 0)};
    } else if constexpr (kIsPair<To>) {
      using Part = typename To::Part;
      return {Convert<Part>(x.re), Convert<Part>(x.im)};
    } else {
      return Convert<To>(x.re);
    }
  } else if constexpr (kSameType<To, Bool>) {
    return {static_cast<unsigned char>(x != From(0))};
  } else if constexpr (kIsShort<To>) {
    return FromFloat<To>(static_cast<float>(x));
  } else if constexpr (kIsPair<To>) {
    using Part = typename To::Part;
    return {Convert<Part>(x), Convert<Part>(0.0f)};
  } else {
    return ConvertNumber<To>(x);
  }
}

// --- Numbers of the vocabulary. What an element is computed in: short floats in float, bool as an
// integer of 0 and 1.
template <class T>
SY_FN Num<T> Lift(T x) {
  return x;
}
SY_FN Num<unsigned char> Lift(Bool x) { return x.bits; }
SY_FN Num<float> Lift(Float16 x) { return ToFloat(x); }
SY_FN Num<float> Lift(BFloat16 x) { return ToFloat(x); }
SY_FN Num<float> Lift(Float8E4M3FN x) { return ToFloat(x); }
SY_FN Num<float> Lift(Float8E5M2 x) { return ToFloat(x); }
template <class T>
SY_FN auto Lift(Pair<T> x) {
  using V = decltype(Lift(x.re));
  return Complex<V>(Lift(x.re), Lift(x.im));
}

template <class T>
SY_FN T Lower(bool x) {
  static_assert(kSameType<T, Bool>);
  return {static_cast<unsigned char>(x)};
}
template <class T, class N>
SY_FN T Lower(Num<N> x) {
  if constexpr (kSameType<T, Bool>) {
    return {static_cast<unsigned char>(x.v)};
  } else if constexpr (kIsShort<T>) {
    return FromFloat<T>(x.v);
  } else {
    static_assert(kSameType<T, N>);
    return x.v;
  }
}
template <class T, class V>
SY_FN T Lower(Complex<V> x) {
  using Part = typename T::Part;
  return {Lower<Part>(x.re), Lower<Part>(x.im)};
}

// a b + c, rounded once where the processor has an instruction for it.
template <class V>
SY_FN V MultiplyAdd(V a, V b, V c) {
  if constexpr (kSameType<V, Num<float>>) {
    return ::fmaf(a.v, b.v, c.v);
  } else if constexpr (kSameType<V, Num<double>>) {
    return ::fma(a.v, b.v, c.v);
  } else {
    return a * b + c;
  }
}

// Short floats that round after every operation (ops/formulas/narrow.h).
template <class T>
struct RoundTo {
  static SY_FN Num<float> Round(Num<float> x) { return ToFloat(FromFloat<T>(x.v)); }
};
template <class T>
using Stepwise = f::Narrow<RoundTo<T>, Num<float>>;
template <class T, class To, class V>
SY_FN T Lower(f::Narrow<To, V> x) {
  return Lower<T>(x.v);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_NUMBER_H_
