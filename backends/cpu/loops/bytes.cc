// Loops over 8-bit images, for one instruction set. Products of two pixels and two weights are one
// instruction that adds pairs of 16-bit products (pmaddwd).

#include "switchyard/backends/cpu/engine/bytes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

#include "backends/cpu/quantized/instructions.h"
#include "switchyard/backends/cpu/simd/raw.h"
#include "switchyard/ops/formulas/resample.h"

namespace sy::cpu::SY_ISA {
namespace {

using Sums = RawI;
constexpr int64_t kBytes = SY_VECTOR_BYTES, kLanes = kBytes / 4;

SY_FN int PairOf(int low, int high) {
  return static_cast<int>((static_cast<unsigned>(low) & 0xffff) | static_cast<unsigned>(high)
                                                                      << 16);
}
SY_FN Sums Repeated(int x) { return Sums{} + x; }

// LowerInTurns, HigherInTurns: in each 16 bytes of a register those halves of both, a byte of each
// in turns. StoreBytes: kLanes ints as bytes.
#if SY_VECTOR_BYTES == 64
SY_FN RawH LowerInTurns(RawH a, RawH b) {
  return (RawH)_mm512_unpacklo_epi8((__m512i)a, (__m512i)b);
}
SY_FN RawH HigherInTurns(RawH a, RawH b) {
  return (RawH)_mm512_unpackhi_epi8((__m512i)a, (__m512i)b);
}
SY_FN void StoreBytes(uint8_t* p, Sums s) {
  const Sums positive = s > 0 ? s : Sums{};
  _mm_storeu_si128((__m128i*)p, _mm512_maskz_cvtusepi32_epi8(0xffff, (__m512i)positive));
}
#elif SY_VECTOR_BYTES == 32
SY_FN RawH LowerInTurns(RawH a, RawH b) {
  return (RawH)_mm256_unpacklo_epi8((__m256i)a, (__m256i)b);
}
SY_FN RawH HigherInTurns(RawH a, RawH b) {
  return (RawH)_mm256_unpackhi_epi8((__m256i)a, (__m256i)b);
}
SY_FN void StoreBytes(uint8_t* p, Sums s) {
  const __m128i half =
      _mm_packs_epi32(_mm256_castsi256_si128((__m256i)s), _mm256_extracti128_si256((__m256i)s, 1));
  _mm_storel_epi64((__m128i*)p, _mm_packus_epi16(half, half));
}
#elif defined(__x86_64__)
SY_FN RawH LowerInTurns(RawH a, RawH b) { return (RawH)_mm_unpacklo_epi8((__m128i)a, (__m128i)b); }
SY_FN RawH HigherInTurns(RawH a, RawH b) { return (RawH)_mm_unpackhi_epi8((__m128i)a, (__m128i)b); }
#else
SY_FN RawH LowerInTurns(RawH a, RawH b) { return (RawH)vzip1q_u8((uint8x16_t)a, (uint8x16_t)b); }
SY_FN RawH HigherInTurns(RawH a, RawH b) { return (RawH)vzip2q_u8((uint8x16_t)a, (uint8x16_t)b); }
#endif

// Sums of a register of bytes: turns within turns, which PackedInTurns undoes.
struct ByteSums {
  Sums a, b, c, d;

  // x and y: bytes of two lines.
  SY_FN void Add(RawH x, RawH y, RawH pair) {
    const RawH none{}, low = LowerInTurns(x, y), high = HigherInTurns(x, y);
    a += MulPairs(LowerInTurns(low, none), pair);
    b += MulPairs(HigherInTurns(low, none), pair);
    c += MulPairs(LowerInTurns(high, none), pair);
    d += MulPairs(HigherInTurns(high, none), pair);
  }
};

// kCount registers of a row.
template <int kCount>
SY_FN void DownSome(uint8_t* to, const uint8_t* p, int64_t n, const int16_t* weights, int64_t count,
                    int shift) {
  const Sums half = Repeated(1 << (shift - 1));
  ByteSums sums[kCount];
  for (ByteSums& s : sums) s = {half, half, half, half};
  int64_t j = 0;
  for (; j + 2 <= count; j += 2, p += 2 * n) {
    const auto pair = (RawH)Repeated(PairOf(weights[j], weights[j + 1]));
    for (int i = 0; i < kCount; ++i)
      sums[i].Add(LoadRaw<RawH>(p + i * kBytes), LoadRaw<RawH>(p + n + i * kBytes), pair);
  }
  if (j < count) {
    const auto pair = (RawH)Repeated(PairOf(weights[j], 0));
    for (int i = 0; i < kCount; ++i) sums[i].Add(LoadRaw<RawH>(p + i * kBytes), RawH{}, pair);
  }
  for (int i = 0; i < kCount; ++i) {
    const ByteSums& s = sums[i];
    StoreRaw(to + i * kBytes,
             PackedInTurns<uint8_t>(s.a >> shift, s.b >> shift, s.c >> shift, s.d >> shift));
  }
}

void Down(uint8_t* to, const uint8_t* lines, int64_t n, const int16_t* weights, int64_t count,
          int shift) {
  int64_t k = 0;
  for (; k + 2 * kBytes <= n; k += 2 * kBytes)
    DownSome<2>(to + k, lines + k, n, weights, count, shift);
  for (; k + kBytes <= n; k += kBytes) DownSome<1>(to + k, lines + k, n, weights, count, shift);
  if (k == n) return;
  if (n >= kBytes) {  // the last ones, some of them once more
    return DownSome<1>(to + n - kBytes, lines + n - kBytes, n, weights, count, shift);
  }
  for (; k < n; ++k) {
    int sum = 1 << (shift - 1);
    for (int64_t j = 0; j < count; ++j) sum += weights[j] * lines[j * n + k];
    to[k] = static_cast<uint8_t>(f::RoundedByte(sum, shift));
  }
}

// The place of a weight of pixels.
SY_FN int64_t OfPixel(const ByteTaps& t, int64_t o, int64_t p) {
  return ((o / 2 * t.pairs + p) * 2 + o % 2) * 4;
}
// Output o, of kInner bytes.
template <int kInner>
SY_FN void AcrossOne(uint8_t* to, const uint8_t* from, const ByteTaps& t, int64_t o) {
  const uint8_t* x = from + t.first[o];
  int sums[kInner];
  for (int c = 0; c < kInner; ++c) sums[c] = 1 << (t.shift - 1);
  for (int64_t p = 0; p < t.pairs; ++p, x += 2 * kInner) {
    const int32_t w = t.weights[kInner == 1 ? p * t.outputs + o : OfPixel(t, o, p)];
    const int low = static_cast<int16_t>(w), high = w >> 16;
    for (int c = 0; c < kInner; ++c) sums[c] += low * x[c] + high * x[kInner + c];
  }
  for (int c = 0; c < kInner; ++c)
    to[o * kInner + c] = static_cast<uint8_t>(f::RoundedByte(sums[c], t.shift));
}

#if SY_VECTOR_BYTES >= 32
// Four bytes at p + at[i] each.
SY_FN Sums Gathered(const uint8_t* p, Sums at) {
#if SY_VECTOR_BYTES == 64
  return (Sums)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xffff, (__m512i)at, p, 1);
#else
  return (Sums)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int*)p, (__m256i)at,
                                           _mm256_set1_epi32(-1), 1);
#endif
}

// Outputs o … o + kLanes - 1 of bytes: four inputs of each at once.
SY_FN void AcrossBytes(uint8_t* to, const uint8_t* from, const ByteTaps& t, int64_t o) {
  const Sums at = LoadRaw<Sums>(t.first + o);
  Sums sums = Repeated(1 << (t.shift - 1));
  const int32_t* w = t.weights + o;
  for (int64_t p = 0; p < t.pairs; p += 2, from += 4, w += 2 * t.outputs) {
    const Sums four = Gathered(from, at);
    sums += MulPairs((RawH)((four & 0xff) | (four << 8 & 0xff0000)), LoadRaw<RawH>(w));
    sums += MulPairs((RawH)((four >> 16 & 0xff) | (four >> 8 & 0xff0000)),
                     LoadRaw<RawH>(w + t.outputs));
  }
  StoreBytes(to + o, sums >> t.shift);
}

// Of two times 16 bytes those at `turn`, times weights.
SY_FN __m256i TimesWeights(__m256i both, __m256i turn, const __m256i* weights) {
  return _mm256_madd_epi16(_mm256_shuffle_epi8(both, turn), _mm256_loadu_si256(weights));
}

// Pixels of 3 or 4 bytes, two outputs at once, each in a half of a register: channels of two inputs
// side by side are turned to stand in pairs.
template <int kInner>
void AcrossPixels(uint8_t* to, const uint8_t* from, const ByteTaps& t) {
  constexpr char k = kInner, no = -1, a = kInner == 4 ? 3 : no, b = kInner == 4 ? 7 : no,
                 c = kInner == 4 ? 11 : no, d = kInner == 4 ? 15 : no;
  const __m256i first = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, no, k, no, 1, no, k + 1, no, 2, no, k + 2, no, a, no, b, no));
  const __m256i second =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(2 * k, no, 3 * k, no, 2 * k + 1, no, 3 * k + 1, no,
                                                2 * k + 2, no, 3 * k + 2, no, c, no, d, no));
  const __m256i half = _mm256_set1_epi32(1 << (t.shift - 1));
  const __m128i by = _mm_cvtsi32_si128(t.shift);
  const auto* w = (const __m256i*)t.weights;
  int64_t o = 0;
  for (; o + 2 <= t.outputs; o += 2) {
    const uint8_t *x = from + t.first[o], *y = from + t.first[o + 1];
    const auto both = [&] {
      return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i*)x)),
                                     _mm_loadu_si128((const __m128i*)y), 1);
    };
    __m256i sums = half;
    int64_t p = 0;
    for (; p + 2 <= t.pairs; p += 2, x += 4 * kInner, y += 4 * kInner, w += 2) {
      const __m256i four = both();
      sums = _mm256_add_epi32(sums, TimesWeights(four, first, w));
      sums = _mm256_add_epi32(sums, TimesWeights(four, second, w + 1));
    }
    if (p < t.pairs) sums = _mm256_add_epi32(sums, TimesWeights(both(), first, w++));
    sums = _mm256_sra_epi32(sums, by);
    sums = _mm256_packs_epi32(sums, sums);
    sums = _mm256_packus_epi16(sums, sums);
    const int pixels[] = {_mm256_extract_epi32(sums, 0), _mm256_extract_epi32(sums, 4)};
    for (int i = 0; i < 2; ++i, to += kInner)  // the next pixel covers what is more
      __builtin_memcpy(to, &pixels[i], sizeof(pixels[i]));
  }
  if (o < t.outputs) AcrossOne<kInner>(to - o * kInner, from, t, o);
}
#endif

void Across(uint8_t* to, const uint8_t* from, const ByteTaps& t, int64_t inner) {
  int64_t o = 0;
#if SY_VECTOR_BYTES >= 32
  if (inner == 3) return AcrossPixels<3>(to, from, t);
  if (inner == 4) return AcrossPixels<4>(to, from, t);
  for (; o + kLanes <= t.outputs; o += kLanes) AcrossBytes(to, from, t, o);
  if (o < t.outputs && t.outputs >= kLanes) return AcrossBytes(to, from, t, t.outputs - kLanes);
#endif
  for (; o < t.outputs; ++o) {
    if (inner == 1) {
      AcrossOne<1>(to, from, t, o);
    } else if (inner == 3) {
      AcrossOne<3>(to, from, t, o);
    } else {
      AcrossOne<4>(to, from, t, o);
    }
  }
}

}  // namespace

extern constexpr ByteLoops bytes = {&Down, &Across};

}  // namespace sy::cpu::SY_ISA
