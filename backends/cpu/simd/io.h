// How elements in memory become numbers of the vocabulary and back: Io<T> for each element type.
//
//   using F = Io<BFloat16>;  Vec<float> x = F::Load(p, i);  F::Store(q, i, x + x);
//
// Load and Store move kLanes elements from index i on, LoadOne and StoreOne one; Stream writes
// around the cache, to an address that is a multiple of the bytes it writes; kBytes: of an element
// in memory. 16-bit floats are numbers as float, rounded to nearest even when stored. bool in
// memory is a byte of 0 or 1; as the operand of a choice it is a mask (MaskIo).
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_IO_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_IO_H_

#include "switchyard/backends/cpu/simd/vec.h"
#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/narrow.h"

namespace sy::cpu::SY_ISA {

using f::Complex;
using f::Num;

// Element types that C++ has no type for.
struct Float16 {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};

// The address of element i. No alignment is asked for.
template <class T>
SY_FN const T* At(const void* p, size_t i) {
  return static_cast<const T*>(p) + i;
}
template <class T>
SY_FN T* At(void* p, size_t i) {
  return static_cast<T*>(p) + i;
}

// Numbers that are in memory what they are in registers.
template <class T>
struct Io {
  using V = Vec<T>;
  using S = Num<T>;
  static constexpr int kLanes = V::kLanes;
  static constexpr size_t kBytes = sizeof(T);
  static constexpr bool kStreams = true;
  static SY_FN V Load(const void* p, size_t i) { return V::Load(At<T>(p, i)); }
  static SY_FN void Store(void* p, size_t i, V v) { v.Store(At<T>(p, i)); }
  static SY_FN void Stream(void* p, size_t i, V v) { StreamRaw(At<T>(p, i), v.v); }
  static SY_FN S LoadOne(const void* p, size_t i) { return *At<T>(p, i); }
  static SY_FN void StoreOne(void* p, size_t i, S s) { *At<T>(p, i) = s.v; }
};

// bool bytes as masks of T's lanes.
template <class T>
struct MaskIo {
  using V = MaskOf<T>;
  using S = bool;
  static constexpr int kLanes = Vec<T>::kLanes;
  // Memory has a byte a lane, however wide lanes are.
  using Bytes = Raw<uint8_t, kLanes>;
  static constexpr size_t kBytes = 1;
  static constexpr bool kStreams = false;
  static SY_FN V Load(const void* p, size_t i) {
    const auto b = LoadRaw<Raw<int8_t, kLanes>>(At<uint8_t>(p, i));
#if SY_NARROWS_BY_INSTRUCTION  // g++ 12 widens bytes to 32 bits in two steps
    if constexpr (sizeof(T) == 4) return {WidenSignedBytes(b) != 0};
#endif
    return {Convert<Int<sizeof(T)>>(b) != 0};
  }
  static SY_FN Bytes ToBytes(V m) { return (Bytes)Convert<int8_t>(m.m) & 1; }
  static SY_FN void Store(void* p, size_t i, V m) { StoreRaw(At<uint8_t>(p, i), ToBytes(m)); }
  static SY_FN S LoadOne(const void* p, size_t i) { return *At<uint8_t>(p, i) != 0; }
  static SY_FN void StoreOne(void* p, size_t i, S s) { *At<uint8_t>(p, i) = s; }
};

// --- 16-bit floats. The conversions are those of core/half.h, many at once.
SY_FN Raw<uint32_t> Widen(HalfBits h) {
#if SY_WIDENS_BY_INSTRUCTION  // g++ 12 goes through halves
  return WidenHalves(h);
#else
  return Convert<uint32_t>(h);
#endif
}

SY_FN HalfBits LowHalves(Raw<uint32_t> u) {
#if SY_NARROWS_BY_INSTRUCTION  // g++ 12 permutes two registers
  return NarrowToHalves(u);
#else
  return Convert<uint16_t>(u);
#endif
}

// The upper half of a float. Rounding: half a unit, less one if the last bit kept is even; NaN
// stays NaN, as 0x7fc0, which rounding could carry into infinity.
template <>
struct Io<BFloat16> {
  using V = Vec<float>;
  using S = Num<float>;
  static constexpr int kLanes = kHalfLanes;
  static constexpr size_t kBytes = 2;
  static constexpr bool kStreams = false;
  static SY_FN V Load(const void* p, size_t i) {
    return (Raw<float>)(Widen(LoadRaw<HalfBits>(At<uint16_t>(p, i))) << 16);
  }
  static SY_FN HalfBits Narrow(V v) {
    using U = Raw<uint32_t>;
    const U u = (U)v.v, rounded = (u + 0x7fff + ((u >> 16) & 1)) >> 16;
    return LowHalves(isnan(v).m ? U{} + 0x7fc0 : rounded);
  }
  static SY_FN void Store(void* p, size_t i, V v) { StoreRaw(At<uint16_t>(p, i), Narrow(v)); }
  static SY_FN S LoadOne(const void* p, size_t i) {
    return __builtin_bit_cast(float, static_cast<uint32_t>(*At<uint16_t>(p, i)) << 16);
  }
  static SY_FN void StoreOne(void* p, size_t i, S s) {
    const auto u = __builtin_bit_cast(uint32_t, s.v);
    const uint32_t rounded = (u + 0x7fff + ((u >> 16) & 1)) >> 16;
    *At<uint16_t>(p, i) = static_cast<uint16_t>(isnan(s) ? 0x7fc0 : rounded);
  }
};

#if SY_CONVERTS_HALVES_BY_INSTRUCTION
SY_FN Raw<float> Float16ToFloat(HalfBits h) { return HalvesToFloats(h); }
SY_FN HalfBits FloatToFloat16(Raw<float> x) { return FloatsToHalves(x); }
#else
// Multiplying by 2^112 moves the exponent from binary16's bias to binary32's, subnormals included.
SY_FN Raw<float> Float16ToFloat(HalfBits h) {
  using U = Raw<uint32_t>;
  const U u = Widen(h), sign = (u & 0x8000) << 16;
  const U magnitude = (U)((Raw<float>)((u & 0x7fff) << 13) * 0x1p112f);
  const U special = (U)((u & 0x7c00) == 0x7c00) & 0x7f800000;  // infinities and NaN
  return (Raw<float>)(magnitude | special | sign);
}
// Normal numbers: round in integers. Below 2^-14 the adder rounds to a multiple of 2^-24.
SY_FN HalfBits FloatToFloat16(Raw<float> x) {
  using U = Raw<uint32_t>;
  const U u = (U)x, sign = (u >> 16) & 0x8000, a = u & 0x7fffffff;
  const U normal = (a - 0x38000000 + 0xfff + ((a >> 13) & 1)) >> 13;
  const U subnormal = (U)((Raw<float>)a + 0.5f) - 0x3f000000;
  U r = (a < 0x38800000) ? subnormal : normal;
  r = (a >= 0x477ff000) ? U{} + 0x7c00 : r;
  r = (a > 0x7f800000) ? U{} + 0x7e00 : r;
  return Convert<uint16_t>(r | sign);
}
#endif

// IEEE binary16: 5 bits of exponent, 10 of fraction.
template <>
struct Io<Float16> {
  using V = Vec<float>;
  using S = Num<float>;
  static constexpr int kLanes = kHalfLanes;
  static constexpr size_t kBytes = 2;
  static constexpr bool kStreams = false;
  static SY_FN V Load(const void* p, size_t i) {
    return Float16ToFloat(LoadRaw<HalfBits>(At<uint16_t>(p, i)));
  }
  static SY_FN void Store(void* p, size_t i, V v) {
    StoreRaw(At<uint16_t>(p, i), FloatToFloat16(v.v));
  }
  static SY_FN S LoadOne(const void* p, size_t i) {
    return Float16ToFloat(HalfBits{} + *At<uint16_t>(p, i))[0];
  }
  static SY_FN void StoreOne(void* p, size_t i, S s) {
    *At<uint16_t>(p, i) = FloatToFloat16(s.v - Raw<float>{})[0];
  }
};

// --- Complex: two vectors of memory, parts alternating, are one of real and one of imaginary
// parts.
// Of two vectors of kN lanes, one after the other: the lanes at even places (real parts), those at
// odd ones (imaginary parts); back: one of each by turns, of the lower halves and of the upper
// ones.
template <int kN>
struct EvenLanes {
  static constexpr int At(int i) { return 2 * i; }
};
template <int kN>
struct OddLanes {
  static constexpr int At(int i) { return 2 * i + 1; }
};
template <int kN>
struct AlternateLow {
  static constexpr int At(int i) { return i / 2 + (i & 1) * kN; }
};
template <int kN>
struct AlternateHigh {
  static constexpr int At(int i) { return kN / 2 + i / 2 + (i & 1) * kN; }
};

// i and kLanes count complex numbers.
template <class T>
struct Io<Complex<T>> {
  using V = Complex<Vec<T>>;
  using S = Complex<Num<T>>;
  static constexpr int kLanes = Vec<T>::kLanes;
  static constexpr size_t kBytes = 2 * sizeof(T);
  static constexpr bool kStreams = true;
  static SY_FN V Load(const void* p, size_t i) {
    const T* q = At<T>(p, 2 * i);
    const Raw<T> a = LoadRaw<Raw<T>>(q), b = LoadRaw<Raw<T>>(q + kLanes);
    return {Vec<T>(Shuffle<EvenLanes<kLanes>>(a, b)), Vec<T>(Shuffle<OddLanes<kLanes>>(a, b))};
  }
  static SY_FN void Store(void* p, size_t i, V v) {
    T* q = At<T>(p, 2 * i);
    StoreRaw(q, Shuffle<AlternateLow<kLanes>>(v.re.v, v.im.v));
    StoreRaw(q + kLanes, Shuffle<AlternateHigh<kLanes>>(v.re.v, v.im.v));
  }
  static SY_FN void Stream(void* p, size_t i, V v) {
    T* q = At<T>(p, 2 * i);
    StreamRaw(q, Shuffle<AlternateLow<kLanes>>(v.re.v, v.im.v));
    StreamRaw(q + kLanes, Shuffle<AlternateHigh<kLanes>>(v.re.v, v.im.v));
  }
  static SY_FN S LoadOne(const void* p, size_t i) {
    const T* q = At<T>(p, 2 * i);
    return {Num<T>(q[0]), Num<T>(q[1])};
  }
  static SY_FN void StoreOne(void* p, size_t i, S s) {
    T* q = At<T>(p, 2 * i);
    q[0] = s.re.v;
    q[1] = s.im.v;
  }
};

// --- 16-bit floats whose numbers round after every operation.
// PyTorch's kernels do this for a few operators; Narrow calls Round behind each operation.
template <class Half>
struct Stepwise;
template <class Half>
struct RoundTo {
  static SY_FN Vec<float> Round(Vec<float> v) {
    HalfBits h;
    Io<Half>::Store(&h, 0, v);
    return Io<Half>::Load(&h, 0);
  }
  static SY_FN Num<float> Round(Num<float> v) {
    Half h;
    Io<Half>::StoreOne(&h, 0, v);
    return Io<Half>::LoadOne(&h, 0);
  }
};
template <class Half>
struct Io<Stepwise<Half>> {
  using V = f::Narrow<RoundTo<Half>, Vec<float>>;
  using S = f::Narrow<RoundTo<Half>, Num<float>>;
  static constexpr int kLanes = kHalfLanes;
  static constexpr size_t kBytes = 2;
  static constexpr bool kStreams = false;
  static SY_FN V Load(const void* p, size_t i) { return V(Io<Half>::Load(p, i)); }
  static SY_FN void Store(void* p, size_t i, V v) { Io<Half>::Store(p, i, v.v); }
  static SY_FN S LoadOne(const void* p, size_t i) { return S(Io<Half>::LoadOne(p, i)); }
  static SY_FN void StoreOne(void* p, size_t i, S s) { Io<Half>::StoreOne(p, i, s.v); }
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_IO_H_
