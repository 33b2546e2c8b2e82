// The instructions of each set that the compiler's vectors do not give by themselves, under names
// that say what they do. All that knows an instruction of a processor is in this header.
//
//   Raw<float> r = SquareRoot(a);     sqrtps, vsqrtps or fsqrt
//   #if SY_ROUNDS_BY_INSTRUCTION      … RoundBy<kDown>(a)
//
// x86-64: SSE2, AVX2 with FMA and F16C, AVX-512; aarch64: NEON. What a set lacks is missing here
// too (SY_…_BY_INSTRUCTION): the formula in its place stands where it is used.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_INSTRUCTIONS_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_INSTRUCTIONS_H_

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "switchyard/backends/cpu/simd/isas.h"
#include "switchyard/backends/cpu/simd/raw.h"

// Roundings to integers, and between float and binary16.
#if SY_VECTOR_BYTES >= 32 || defined(__aarch64__)
#define SY_ROUNDS_BY_INSTRUCTION 1
#define SY_CONVERTS_HALVES_BY_INSTRUCTION 1
#else
#define SY_ROUNDS_BY_INSTRUCTION 0
#define SY_CONVERTS_HALVES_BY_INSTRUCTION 0
#endif
// Integers to those of another size, where g++ 12 takes several steps.
#if SY_VECTOR_BYTES >= 32 && !defined(__clang__)
#define SY_WIDENS_BY_INSTRUCTION 1
#else
#define SY_WIDENS_BY_INSTRUCTION 0
#endif
#if SY_VECTOR_BYTES == 64 && !defined(__clang__)
#define SY_NARROWS_BY_INSTRUCTION 1
#else
#define SY_NARROWS_BY_INSTRUCTION 0
#endif

namespace sy::cpu {

// --- What every processor of the architecture has, for files that are compiled once too.

// Stores around the cache before this are seen before stores after it.
SY_FN void StreamFence() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#else
  __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

// 16 bytes, whatever they mean, at any address.
using Bytes16 __attribute__((vector_size(16), may_alias, aligned(1))) = long long;
SY_FN Bytes16 LoadBytes16(const void* p) { return *static_cast<const Bytes16*>(p); }
SY_FN void StoreBytes16(void* p, Bytes16 b) { *static_cast<Bytes16*>(p) = b; }
// Around the cache, to a multiple of 16.
SY_FN void StreamBytes16(void* p, Bytes16 b) {
  using Aligned __attribute__((vector_size(16), may_alias)) = long long;
#if defined(__clang__)
  __builtin_nontemporal_store((Aligned)b, static_cast<Aligned*>(p));
#elif defined(__aarch64__)
  const auto halves = (float64x2_t)b;
  __asm__("stnp %d1, %d2, %0" : "=Q"(*static_cast<Aligned*>(p)) : "w"(halves[0]), "w"(halves[1]));
#else
  __builtin_ia32_movntdq(static_cast<Aligned*>(p), (Aligned)b);
#endif
}

// How many bytes of each half are not 0.
SY_FN Bytes16 CountBytes(Bytes16 b) {
#if defined(__aarch64__)
  const uint8x16_t ones = vminq_u8((uint8x16_t)b, vdupq_n_u8(1));
  return (Bytes16)vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(ones)));
#else
  using Chars __attribute__((vector_size(16))) = char;
#if defined(__clang__)
  using Bytes __attribute__((vector_size(16))) = unsigned char;
  const auto ones = (Chars)__builtin_elementwise_min((Bytes)b, Bytes{} + 1);
#else
  const auto ones = __builtin_ia32_pminub128((Chars)b, Chars{} + 1);
#endif
  return (Bytes16)__builtin_ia32_psadbw128(ones, Chars{});
#endif
}

}  // namespace sy::cpu

namespace sy::cpu::SY_ISA {

using RawF = Raw<float>;
using RawD = Raw<double>;

// Stores of 8, 16, 32 or 64 bytes around the cache, to a multiple of as many; g++ has no generic
// one.
template <class R>
inline constexpr bool kCanStream = sizeof(R) >= 8;
template <class R>
SY_FN void StreamRaw(void* p, R r) {
#if defined(__clang__)
  __builtin_nontemporal_store(r, static_cast<R*>(p));
#elif defined(__aarch64__)
  if constexpr (sizeof(R) == 16) {
    StreamBytes16(p, (Bytes16)r);
  } else if constexpr (sizeof(R) == 8) {
    using Pair = Raw<float, 2>;
    const auto halves = __builtin_bit_cast(Pair, r);
    __asm__("stnp %s1, %s2, %0" : "=Q"(*static_cast<R*>(p)) : "w"(halves[0]), "w"(halves[1]));
  }
#else
#if SY_VECTOR_BYTES == 64
  if constexpr (sizeof(R) == 64) {
    __builtin_ia32_movntps512(static_cast<float*>(p), (Raw<float, 16>)r);
    return;
  }
#endif
#if SY_VECTOR_BYTES >= 32
  if constexpr (sizeof(R) == 32) {
    __builtin_ia32_movntps256(static_cast<float*>(p), (Raw<float, 8>)r);
    return;
  }
#endif
  if constexpr (sizeof(R) == 16) {
    __builtin_ia32_movntps(static_cast<float*>(p), (Raw<float, 4>)r);
  } else if constexpr (sizeof(R) == 8) {
    __builtin_ia32_movnti64(static_cast<long long*>(p), __builtin_bit_cast(long long, r));
  }
#endif
}

// --- Floats

// a * b + c, rounded once where the processor can.
SY_FN RawF MultiplyAdd(RawF a, RawF b, RawF c) {
#if SY_VECTOR_BYTES == 64
  return (RawF)__builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4);
#elif SY_VECTOR_BYTES == 32
  return (RawF)__builtin_ia32_vfmaddps256(a, b, c);
#elif defined(__aarch64__)
  return (RawF)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
  return a * b + c;
#endif
}

SY_FN RawD MultiplyAdd(RawD a, RawD b, RawD c) {
#if SY_VECTOR_BYTES == 64
  return (RawD)__builtin_ia32_vfmaddpd512_mask(a, b, c, -1, 4);
#elif SY_VECTOR_BYTES == 32
  return (RawD)__builtin_ia32_vfmaddpd256(a, b, c);
#elif defined(__aarch64__)
  return (RawD)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
  return a * b + c;
#endif
}

SY_FN RawF SquareRoot(RawF a) {
#if SY_VECTOR_BYTES == 64 && defined(__clang__)
  return (RawF)__builtin_ia32_sqrtps512(a, 4);
#elif SY_VECTOR_BYTES == 64
  return (RawF)__builtin_ia32_sqrtps512_mask(a, RawF{}, -1, 4);
#elif SY_VECTOR_BYTES == 32
  return (RawF)__builtin_ia32_sqrtps256(a);
#elif defined(__aarch64__)
  return (RawF)vsqrtq_f32((float32x4_t)a);
#else
  return (RawF)__builtin_ia32_sqrtps(a);
#endif
}
SY_FN RawD SquareRoot(RawD a) {
#if SY_VECTOR_BYTES == 64 && defined(__clang__)
  return (RawD)__builtin_ia32_sqrtpd512(a, 4);
#elif SY_VECTOR_BYTES == 64
  return (RawD)__builtin_ia32_sqrtpd512_mask(a, RawD{}, -1, 4);
#elif SY_VECTOR_BYTES == 32
  return (RawD)__builtin_ia32_sqrtpd256(a);
#elif defined(__aarch64__)
  return (RawD)vsqrtq_f64((float64x2_t)a);
#else
  return (RawD)__builtin_ia32_sqrtpd(a);
#endif
}

// Modes of x86-64's instruction, without exceptions.
enum Rounding : int { kToNearestEven = 8, kDown = 9, kUp = 10, kTowardsZero = 11 };
#if SY_VECTOR_BYTES == 64
template <Rounding kMode>
SY_FN RawF RoundBy(RawF a) {
  return (RawF)__builtin_ia32_rndscaleps_mask(a, kMode, RawF{}, -1, 4);
}
template <Rounding kMode>
SY_FN RawD RoundBy(RawD a) {
  return (RawD)__builtin_ia32_rndscalepd_mask(a, kMode, RawD{}, -1, 4);
}
#elif SY_VECTOR_BYTES == 32
template <Rounding kMode>
SY_FN RawF RoundBy(RawF a) {
  return (RawF)__builtin_ia32_roundps256(a, kMode);
}
template <Rounding kMode>
SY_FN RawD RoundBy(RawD a) {
  return (RawD)__builtin_ia32_roundpd256(a, kMode);
}
#elif defined(__aarch64__)
template <Rounding kMode>
SY_FN RawF RoundBy(RawF a) {
  const auto x = (float32x4_t)a;
  if constexpr (kMode == kToNearestEven) return (RawF)vrndnq_f32(x);
  if constexpr (kMode == kDown) return (RawF)vrndmq_f32(x);
  if constexpr (kMode == kUp) return (RawF)vrndpq_f32(x);
  return (RawF)vrndq_f32(x);
}
template <Rounding kMode>
SY_FN RawD RoundBy(RawD a) {
  const auto x = (float64x2_t)a;
  if constexpr (kMode == kToNearestEven) return (RawD)vrndnq_f64(x);
  if constexpr (kMode == kDown) return (RawD)vrndmq_f64(x);
  if constexpr (kMode == kUp) return (RawD)vrndpq_f64(x);
  return (RawD)vrndq_f64(x);
}
#endif

// Whether some lane is `least` or more.
SY_FN bool AnyAtLeast(uint32_t least, Raw<uint32_t> u) {
#if SY_VECTOR_BYTES == 64
  using I = Raw<int32_t>;
  return __builtin_ia32_ucmpd512_mask((I)u, (I)(least - Raw<uint32_t>{}), 5, -1) != 0;
#elif SY_VECTOR_BYTES == 32
  return __builtin_ia32_movmskps256((RawF)(Raw<int32_t>)(u >= least)) != 0;
#elif defined(__aarch64__)
  return vmaxvq_u32((uint32x4_t)u) >= least;
#else
  return __builtin_ia32_movmskps((RawF)(Raw<int32_t>)(u >= least)) != 0;
#endif
}

// What AVX-512 alone has.
#if SY_VECTOR_BYTES == 64
#if defined(__clang__)
#define SY_AVX512(name, a, b) __builtin_ia32_##name(a, b, 4)
#else
#define SY_AVX512(name, a, b) __builtin_ia32_##name##_mask(a, b, decltype(a){}, -1, 4)
#endif
// a > b ? a : b, and a < b ? a : b: b where one of them is NaN.
SY_FN RawF Larger(RawF a, RawF b) { return SY_AVX512(maxps512, a, b); }
SY_FN RawD Larger(RawD a, RawD b) { return SY_AVX512(maxpd512, a, b); }
SY_FN RawF Smaller(RawF a, RawF b) { return SY_AVX512(minps512, a, b); }
SY_FN RawD Smaller(RawD a, RawD b) { return SY_AVX512(minpd512, a, b); }
#undef SY_AVX512
// p * 2^n
SY_FN RawF TimesPowerOfTwo(RawF p, RawF n) {
  return (RawF)__builtin_ia32_scalefps512_mask(p, n, RawF{}, -1, 4);
}
// 1 / sqrt(a), but for 2^-14 of it.
SY_FN RawF EstimateOfInverseRoot(RawF a) {
  return (RawF)__builtin_ia32_rsqrt14ps512_mask(a, RawF{}, -1);
}
// Whether some lane of a is not as large as b's; NaN is not.
SY_FN bool AnyNotAtLeast(RawF a, RawF b) {
  constexpr int kNotAtLeast = 0x19;
  return __builtin_ia32_cmpps512_mask(a, b, kNotAtLeast, -1, 4) != 0;
}
#endif

// --- Integers of other sizes
inline constexpr int kHalfLanes = SY_VECTOR_BYTES / 4;
using HalfBits = Raw<uint16_t, kHalfLanes>;

#if SY_WIDENS_BY_INSTRUCTION
// Bytes as 64-bit integers.
template <bool kSigned, class R>
SY_FN Raw<int64_t> WidenBytes(R x) {
  static_assert(sizeof(R) == SY_VECTOR_BYTES / 8);
  const auto word = __builtin_bit_cast(Int<SY_VECTOR_BYTES / 8>, x);
  const auto b = (Raw<char, 16>)(Raw<Int<SY_VECTOR_BYTES / 8>, 128 / SY_VECTOR_BYTES>{word});
#if SY_VECTOR_BYTES == 64
  return kSigned ? (Raw<int64_t>)__builtin_ia32_pmovsxbq512_mask(b, Raw<long long>{}, -1)
                 : (Raw<int64_t>)__builtin_ia32_pmovzxbq512_mask(b, Raw<long long>{}, -1);
#else
  return kSigned ? (Raw<int64_t>)__builtin_ia32_pmovsxbq256(b)
                 : (Raw<int64_t>)__builtin_ia32_pmovzxbq256(b);
#endif
}
SY_FN Raw<uint32_t> WidenHalves(HalfBits h) {
#if SY_VECTOR_BYTES == 64
  return (Raw<uint32_t>)__builtin_ia32_pmovzxwd512_mask((Raw<short, 16>)h, Raw<int32_t>{}, -1);
#else
  return (Raw<uint32_t>)__builtin_ia32_pmovzxwd256((Raw<short, 8>)h);
#endif
}
#endif
#if SY_NARROWS_BY_INSTRUCTION
SY_FN HalfBits NarrowToHalves(Raw<uint32_t> u) {
  return (HalfBits)__builtin_ia32_pmovdw512_mask((Raw<int32_t>)u, Raw<short, 16>{}, -1);
}
SY_FN Raw<int32_t> WidenSignedBytes(Raw<int8_t, 16> b) {
  return (Raw<int32_t>)__builtin_ia32_pmovsxbd512_mask((Raw<char, 16>)b, Raw<int32_t>{}, -1);
}
#endif

// --- binary16
#if SY_CONVERTS_HALVES_BY_INSTRUCTION
SY_FN RawF HalvesToFloats(HalfBits h) {
#if SY_VECTOR_BYTES == 64
  return (RawF)__builtin_ia32_vcvtph2ps512_mask((Raw<short, 16>)h, RawF{}, -1, 4);
#elif SY_VECTOR_BYTES == 32
  return (RawF)__builtin_ia32_vcvtph2ps256((Raw<short, 8>)h);
#else
  return (RawF)vcvt_f32_f16((float16x4_t)h);
#endif
}
// Rounded to nearest even.
SY_FN HalfBits FloatsToHalves(RawF x) {
#if SY_VECTOR_BYTES == 64
  return (HalfBits)__builtin_ia32_vcvtps2ph512_mask(x, 0, Raw<short, 16>{}, -1);
#elif SY_VECTOR_BYTES == 32
  return (HalfBits)__builtin_ia32_vcvtps2ph256(x, 0);
#else
  return (HalfBits)vcvt_f16_f32((float32x4_t)x);
#endif
}
#endif

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_INSTRUCTIONS_H_
