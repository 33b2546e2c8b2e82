// Instructions on integers of 8 and 16 bits, for one instruction set: what the compiler's vectors
// do not give by themselves, for quantised numbers and 8-bit images. They stand apart from
// simd/instructions.h, with which all other loops are compiled again.
//
//   RawI sums = MulPairs(a, b);                         pmaddwd
//   Raw<uint8_t> bytes = Packed<uint8_t>(a, b, c, d);   packssdw, packuswb
//
// Owns: nothing. Threads: any.
#ifndef BACKENDS_CPU_QUANTIZED_INSTRUCTIONS_H_
#define BACKENDS_CPU_QUANTIZED_INSTRUCTIONS_H_

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

#include "switchyard/backends/cpu/simd/vec.h"

namespace sy::cpu::SY_ISA {

using RawI = Raw<int32_t>;
using RawH = Raw<int16_t>;  // half as wide, twice as many

// Of each pair of 16-bit numbers the sum of their products: exact but for four times -2^15.
SY_FN RawI MulPairs(RawH a, RawH b) {
#if SY_VECTOR_BYTES == 64
  return (RawI)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif SY_VECTOR_BYTES == 32
  return (RawI)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__x86_64__)
  return (RawI)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
  const auto x = (int16x8_t)a, y = (int16x8_t)b;
  return (RawI)vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
#endif
}

// To the nearest integer, ties to even; x: within 2^31.
SY_FN RawI ToNearest(RawF x) {
#if SY_VECTOR_BYTES == 64
  return (RawI)_mm512_maskz_cvtps_epi32(0xffff, (__m512)x);
#elif SY_VECTOR_BYTES == 32
  return (RawI)_mm256_cvtps_epi32((__m256)x);
#elif defined(__x86_64__)
  return (RawI)_mm_cvtps_epi32((__m128)x);
#else
  return (RawI)vcvtnq_s32_f32((float32x4_t)x);
#endif
}

// 8-bit numbers, one behind the other, as 32-bit ones.
template <class T>
SY_FN RawI Widened(const T* p) {
#if SY_VECTOR_BYTES == 64
  const __m128i bytes = _mm_loadu_si128((const __m128i*)p);
  return (RawI)(kIsSigned<T> ? _mm512_maskz_cvtepi8_epi32(0xffff, bytes)
                             : _mm512_maskz_cvtepu8_epi32(0xffff, bytes));
#elif SY_VECTOR_BYTES == 32
  const __m128i bytes = _mm_loadl_epi64((const __m128i*)p);
  return (RawI)(kIsSigned<T> ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes));
#else
  return Convert<int32_t>(LoadRaw<Raw<T, SY_VECTOR_BYTES / 4> >(p));
#endif
}

// Four vectors of 32-bit numbers as one of 8-bit ones, what is out of range as the nearest of them:
// in each 16 bytes 4 of a, of b, of c and of d.
template <class T>
SY_FN Raw<T> PackedInTurns(RawI a, RawI b, RawI c, RawI d) {
#if SY_VECTOR_BYTES == 64
  const __m512i low = _mm512_packs_epi32((__m512i)a, (__m512i)b),
                high = _mm512_packs_epi32((__m512i)c, (__m512i)d);
  return (Raw<T>)(kIsSigned<T> ? _mm512_packs_epi16(low, high) : _mm512_packus_epi16(low, high));
#elif SY_VECTOR_BYTES == 32
  const __m256i low = _mm256_packs_epi32((__m256i)a, (__m256i)b),
                high = _mm256_packs_epi32((__m256i)c, (__m256i)d);
  return (Raw<T>)(kIsSigned<T> ? _mm256_packs_epi16(low, high) : _mm256_packus_epi16(low, high));
#elif defined(__x86_64__)
  const __m128i low = _mm_packs_epi32((__m128i)a, (__m128i)b),
                high = _mm_packs_epi32((__m128i)c, (__m128i)d);
  return (Raw<T>)(kIsSigned<T> ? _mm_packs_epi16(low, high) : _mm_packus_epi16(low, high));
#else
  const int16x8_t low = vqmovn_high_s32(vqmovn_s32((int32x4_t)a), (int32x4_t)b),
                  high = vqmovn_high_s32(vqmovn_s32((int32x4_t)c), (int32x4_t)d);
  if constexpr (kIsSigned<T>) return (Raw<T>)vqmovn_high_s16(vqmovn_s16(low), high);
  return (Raw<T>)vqmovun_high_s16(vqmovun_s16(low), high);
#endif
}

// All of a, then b, c and d.
template <class T>
SY_FN Raw<T> Packed(RawI a, RawI b, RawI c, RawI d) {
  const Raw<T> mixed = PackedInTurns<T>(a, b, c, d);
#if SY_VECTOR_BYTES == 64
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return (Raw<T>)_mm512_maskz_permutexvar_epi32(0xffff, order, (__m512i)mixed);
#elif SY_VECTOR_BYTES == 32
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  return (Raw<T>)_mm256_permutevar8x32_epi32((__m256i)mixed, order);
#else
  return mixed;
#endif
}

}  // namespace sy::cpu::SY_ISA

#endif  // BACKENDS_CPU_QUANTIZED_INSTRUCTIONS_H_
