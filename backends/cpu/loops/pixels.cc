// Rows of pixels by instructions of AVX-512 that move and multiply single bytes; a table of nothing
// elsewhere.
#include "switchyard/backends/cpu/engine/pixels.h"

#include "switchyard/backends/cpu/simd/raw.h"

#if defined(__x86_64__) && SY_VECTOR_BYTES == 64
#include <immintrin.h>

// Of functions that are called only where the processor has the instructions.
#define SY_BYTES __attribute__((target("avx512vnni,avx512vbmi")))

namespace sy::cpu::SY_ISA {
namespace {

using I = __m512i;

// 16 pixels as 16 bytes of each channel.
template <int kInner>
struct Order {
  alignas(64) uint8_t at[64];
  constexpr Order() : at() {
    for (int c = 0; c < kInner; ++c) {
      for (int p = 0; p < 16; ++p) at[16 * c + p] = static_cast<uint8_t>(p * kInner + c);
    }
  }
};
// A byte of each of 4 outputs, channel by channel, as pixels.
template <int kInner>
struct Back {
  alignas(16) uint8_t at[16];
  constexpr Back() : at() {
    for (int o = 0; o < 4; ++o) {
      for (int c = 0; c < kInner; ++c) at[o * kInner + c] = static_cast<uint8_t>(4 * c + o);
    }
  }
};

SY_FN I Repeated(const int8_t* weights) {
  return _mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128((const __m128i*)weights));
}
// Of an output, in each 16 bytes four sums that make one of a channel. kOne: of one part.
template <int kInner, bool kOne>
SY_BYTES SY_FN I SumsOf(const uint8_t* from, const int8_t* weights, int64_t parts, I order) {
  I high = {}, low = {};
  for (int64_t p = 0; p < (kOne ? 1 : parts); ++p, from += 16 * kInner, weights += 32) {
    const I x = _mm512_maskz_permutexvar_epi8(~__mmask64{0}, order, _mm512_loadu_si512(from));
    high = _mm512_dpbusd_epi32(high, x, Repeated(weights));
    if (kOne) low = _mm512_maskz_slli_epi32(0xffff, high, 8);
    low = _mm512_dpbusd_epi32(low, x, Repeated(weights + 16));
  }
  return kOne ? low : _mm512_add_epi32(_mm512_maskz_slli_epi32(0xffff, high, 8), low);
}

SY_FN I AddInTurns32(I a, I b) {
  return _mm512_add_epi32(_mm512_maskz_unpacklo_epi32(0xffff, a, b),
                          _mm512_maskz_unpackhi_epi32(0xffff, a, b));
}
SY_FN I AddInTurns64(I a, I b) {
  return _mm512_add_epi32(_mm512_maskz_unpacklo_epi64(0xff, a, b),
                          _mm512_maskz_unpackhi_epi64(0xff, a, b));
}

template <int kInner, bool kOne>
SY_BYTES void AcrossPixels(uint8_t* to, const uint8_t* from, const PixelTaps& t) {
  static constexpr Order<kInner> kOrder;
  static constexpr Back<kInner> kBack;
  const I order = _mm512_load_si512(kOrder.at), half = _mm512_set1_epi32(1 << (t.shift - 1));
  const __m128i back = _mm_load_si128((const __m128i*)kBack.at), by = _mm_cvtsi32_si128(t.shift);
  const int64_t step = 32 * t.parts;
  const int8_t* w = t.weights;
  for (int64_t o = 0; o < t.outputs; o += 4, w += 4 * step, to += 4 * kInner) {
    const I a = SumsOf<kInner, kOne>(from + t.first[o], w, t.parts, order),
            b = SumsOf<kInner, kOne>(from + t.first[o + 1], w + step, t.parts, order),
            c = SumsOf<kInner, kOne>(from + t.first[o + 2], w + 2 * step, t.parts, order),
            d = SumsOf<kInner, kOne>(from + t.first[o + 3], w + 3 * step, t.parts, order);
    const I all = AddInTurns64(AddInTurns32(a, b), AddInTurns32(c, d));
    const I whole = _mm512_maskz_sra_epi32(0xffff, _mm512_add_epi32(all, half), by);
    const I positive = _mm512_maskz_max_epi32(0xffff, whole, I{});
    const __m128i bytes = _mm512_maskz_cvtusepi32_epi8(0xffff, positive);
    _mm_storeu_si128((__m128i*)to, _mm_shuffle_epi8(bytes, back));  // the next ones cover the rest
  }
}

void Across(uint8_t* to, const uint8_t* from, const PixelTaps& taps, int64_t inner) {
  if (inner == 3)
    return taps.parts == 1 ? AcrossPixels<3, true>(to, from, taps)
                           : AcrossPixels<3, false>(to, from, taps);
  return taps.parts == 1 ? AcrossPixels<4, true>(to, from, taps)
                         : AcrossPixels<4, false>(to, from, taps);
}

}  // namespace

extern constexpr PixelLoops pixels = {&Across};

}  // namespace sy::cpu::SY_ISA

#else

namespace sy::cpu::SY_ISA {
extern constexpr PixelLoops pixels = {};
}  // namespace sy::cpu::SY_ISA

#endif
