// Products of 8-bit integers by instructions that sum four of them (vpdpbusd), where registers are
// those of AVX-512; a table of nothing elsewhere.
#include "backends/cpu/quantized/dot.h"

#include "switchyard/backends/cpu/simd/raw.h"

#if defined(__x86_64__) && SY_VECTOR_BYTES == 64
#include <immintrin.h>

// Of functions that are called only where the processor has the instruction. g++ 12 stores sums
// in every round of a loop where it looks for partial redundancies.
#if defined(__clang__)
#define SY_VNNI __attribute__((target("avx512vnni")))
#else
#define SY_VNNI __attribute__((target("avx512vnni"), optimize("no-tree-pre")))
#endif

namespace sy::cpu::SY_ISA {
namespace {

using I = __m512i;
constexpr int64_t kColumns = DotLoops::kColumns, kPanel = 4 * kColumns;

SY_FN __mmask64 FirstBytes(int64_t n) {
  return n >= 64 ? ~__mmask64{0} : (__mmask64{1} << (n < 0 ? 0 : n)) - 1;
}
SY_FN __mmask16 FirstColumns(int64_t n) {
  return static_cast<__mmask16>(n >= 16 ? 0xffff : (1 << n) - 1);
}
SY_FN I Load(const void* p) { return _mm512_loadu_si512(p); }

// --- Packing: 16 rows of 16 fours become 16 registers of a four of each row.

SY_FN void Transpose(I (&x)[16]) {
  I y[16];
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    y[i] = _mm512_maskz_unpacklo_epi32(0xffff, x[i], x[i + 1]);
    y[i + 1] = _mm512_maskz_unpackhi_epi32(0xffff, x[i], x[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    x[i] = _mm512_maskz_unpacklo_epi64(0xff, y[i], y[i + 2]);
    x[i + 1] = _mm512_maskz_unpackhi_epi64(0xff, y[i], y[i + 2]);
    x[i + 2] = _mm512_maskz_unpacklo_epi64(0xff, y[i + 1], y[i + 3]);
    x[i + 3] = _mm512_maskz_unpackhi_epi64(0xff, y[i + 1], y[i + 3]);
  }
  // x[4 r + q]: of rows 4 r … 4 r + 3 the fours q, q + 4, q + 8, q + 12, 16 bytes each.
#pragma GCC unroll 4
  for (int q = 0; q < 4; ++q) {
    const I a = _mm512_maskz_shuffle_i32x4(0xffff, x[q], x[4 + q], 0x88),
            b = _mm512_maskz_shuffle_i32x4(0xffff, x[q], x[4 + q], 0xdd),
            c = _mm512_maskz_shuffle_i32x4(0xffff, x[8 + q], x[12 + q], 0x88),
            d = _mm512_maskz_shuffle_i32x4(0xffff, x[8 + q], x[12 + q], 0xdd);
    y[q] = _mm512_maskz_shuffle_i32x4(0xffff, a, c, 0x88);
    y[q + 8] = _mm512_maskz_shuffle_i32x4(0xffff, a, c, 0xdd);
    y[q + 4] = _mm512_maskz_shuffle_i32x4(0xffff, b, d, 0x88);
    y[q + 12] = _mm512_maskz_shuffle_i32x4(0xffff, b, d, 0xdd);
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) x[i] = y[i];
}

SY_VNNI void Pack(int8_t* to, int32_t* sums, const int8_t* weight, int64_t columns, int64_t terms,
                  const DotRuns& runs) {
  const I one = _mm512_set1_epi8(1);
  I s0 = {}, s1 = {};
  const int64_t fours = runs.fours();
  for (int64_t r = 0; r < runs.count; ++r) {
    const int8_t* const from = weight + r * runs.length;
    const int64_t rest = terms - r * runs.length, n = rest < runs.length ? rest : runs.length;
    for (int64_t k = 0; k < fours; k += 16) {
      const __mmask64 held = FirstBytes(n - 4 * k);
      I x[16];
#pragma GCC unroll 16
      for (int64_t c = 0; c < 16; ++c)
        x[c] = _mm512_maskz_loadu_epi8(c < columns ? held : 0, from + c * terms + 4 * k);
      Transpose(x);
      if (fours - k >= 16) {
#pragma GCC unroll 16
        for (int i = 0; i < 16; i += 2, to += 128) {
          _mm512_storeu_si512(to, x[i]);
          _mm512_storeu_si512(to + 64, x[i + 1]);
          s0 = _mm512_dpbusd_epi32(s0, one, x[i]);
          s1 = _mm512_dpbusd_epi32(s1, one, x[i + 1]);
        }
        continue;
      }
      alignas(64) int8_t few[16 * 64];
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) _mm512_storeu_si512(few + 64 * i, x[i]);
      for (int64_t i = 0; i < fours - k; ++i, to += 64) {
        const I y = Load(few + 64 * i);
        _mm512_storeu_si512(to, y);
        s0 = _mm512_dpbusd_epi32(s0, one, y);
      }
    }
  }
  _mm512_storeu_si512(sums, _mm512_add_epi32(s0, s1));
}

// --- Products. kRows lines times kBlocks blocks: sums of all of them stay in registers.

struct Side {
  const int8_t* packed;
  int64_t block_bytes;
  const int32_t* start;  // may be null
  __mmask16 last;        // columns of the last block
};

// Members instead of arrays: what loops index the compiler leaves in memory.
template <int kBlocks>
struct Weights {
  I w0, w1, w2, w3;
};
template <int kBlocks>
struct LineSums {
  static_assert(kBlocks == 1 || kBlocks == 2 || kBlocks == 4);
  I s0 = {}, s1 = {}, s2 = {}, s3 = {};

  SY_VNNI SY_FN void Add(I x, const Weights<kBlocks>& y) {
    s0 = _mm512_dpbusd_epi32(s0, x, y.w0);
    if constexpr (kBlocks > 1) s1 = _mm512_dpbusd_epi32(s1, x, y.w1);
    if constexpr (kBlocks > 2) s2 = _mm512_dpbusd_epi32(s2, x, y.w2);
    if constexpr (kBlocks > 2) s3 = _mm512_dpbusd_epi32(s3, x, y.w3);
  }
  SY_FN void Start(const Side& side, const int32_t* sums) {
    s0 = First<0>(side, sums);
    if constexpr (kBlocks > 1) s1 = First<1>(side, sums);
    if constexpr (kBlocks > 2) s2 = First<2>(side, sums), s3 = First<3>(side, sums);
  }
  SY_FN void Store(const Side& side, int32_t* sums) const {
    Put<0>(side, sums, s0);
    if constexpr (kBlocks > 1) Put<1>(side, sums, s1);
    if constexpr (kBlocks > 2) Put<2>(side, sums, s2), Put<3>(side, sums, s3);
  }

 private:
  template <int kB>
  static SY_FN __mmask16 Held(const Side& side) {
    return kB + 1 < kBlocks ? 0xffff : side.last;
  }
  template <int kB>
  static SY_FN I First(const Side& side, const int32_t* sums) {
    if (side.start != nullptr) return Load(side.start + kB * kColumns);
    return _mm512_maskz_loadu_epi32(Held<kB>(side), sums + kB * kColumns);
  }
  template <int kB>
  static SY_FN void Put(const Side& side, int32_t* sums, I s) {
    _mm512_mask_storeu_epi32(sums + kB * kColumns, Held<kB>(side), s);
  }
};

// A line and those behind it.
template <int kRows, int kBlocks>
struct Lines {
  LineSums<kBlocks> sums;
  const uint8_t* x;
  Lines<kRows - 1, kBlocks> rest;

  SY_FN void Start(const Side& side, const int32_t* p, int64_t ld) {
    sums.Start(side, p);
    rest.Start(side, p + ld, ld);
  }
  SY_FN void Place(const uint8_t* const* a, int64_t at) {
    x = *a + at;
    rest.Place(a + 1, at);
  }
  SY_VNNI SY_FN void Add(int64_t at, const Weights<kBlocks>& y) {
    int four;
    __builtin_memcpy(&four, x + at, sizeof(four));
    sums.Add(_mm512_set1_epi32(four), y);
    rest.Add(at, y);
  }
  SY_FN void Store(const Side& side, int32_t* p, int64_t ld) const {
    sums.Store(side, p);
    rest.Store(side, p + ld, ld);
  }
};
template <int kBlocks>
struct Lines<0, kBlocks> {
  SY_FN void Start(const Side&, const int32_t*, int64_t) {}
  SY_FN void Place(const uint8_t* const*, int64_t) {}
  SY_FN void Add(int64_t, const Weights<kBlocks>&) {}
  SY_FN void Store(const Side&, int32_t*, int64_t) const {}
};

template <int kRows, int kBlocks>
SY_VNNI void Tile(int32_t* sums, int64_t ld, const uint8_t* const* a, const Side& side,
                  const DotRuns& runs) {
  Lines<kRows, kBlocks> lines;
  lines.Start(side, sums, ld);
  const int64_t length = 4 * runs.fours(), step = side.block_bytes;
  const int8_t* w = side.packed;
  for (int64_t r = 0; r < runs.count; ++r) {
    lines.Place(a, runs.at[r]);
    for (int64_t k = 0; k < length; k += 4, w += 64) {
      Weights<kBlocks> y;
      y.w0 = Load(w);
      if constexpr (kBlocks > 1) y.w1 = Load(w + step);
      if constexpr (kBlocks > 2) y.w2 = Load(w + 2 * step), y.w3 = Load(w + 3 * step);
      lines.Add(k, y);
    }
  }
  lines.Store(side, sums, ld);
}

template <int kBlocks>
void Panel(int32_t* sums, int64_t ld, const uint8_t* const* a, int64_t rows, const Side& side,
           const DotRuns& runs) {
  int64_t r = 0;
  for (; r + 6 <= rows; r += 6) Tile<6, kBlocks>(sums + r * ld, ld, a + r, side, runs);
  for (; r + 3 <= rows; r += 3) Tile<3, kBlocks>(sums + r * ld, ld, a + r, side, runs);
  for (; r < rows; ++r) Tile<1, kBlocks>(sums + r * ld, ld, a + r, side, runs);
}

void Products(int32_t* sums, int64_t ld, const uint8_t* const* a, int64_t rows,
              const int8_t* packed, int64_t block_bytes, int64_t columns, const DotRuns& runs,
              const int32_t* start) {
  for (int64_t c = 0; c < columns;) {
    const int64_t rest = columns - c;
    const Side side{packed + c / kColumns * block_bytes, block_bytes,
                    start == nullptr ? nullptr : start + c, 0};
    const auto some = [&](int64_t blocks) {
      Side s = side;
      s.last = FirstColumns(rest - (blocks - 1) * kColumns);
      return s;
    };
    if (rest > 3 * kColumns) {
      Panel<4>(sums + c, ld, a, rows, some(4), runs);
      c += kPanel;
    } else if (rest > kColumns) {
      Panel<2>(sums + c, ld, a, rows, some(2), runs);
      c += 2 * kColumns;
    } else {
      Panel<1>(sums + c, ld, a, rows, some(1), runs);
      c += kColumns;
    }
  }
}

// --- Few rows: each column is read once, as it lies.

// The sums of four registers' lanes, beside each other.
SY_FN __m128i SumsOf(I a, I b, I c, I d) {
  const I ab = _mm512_add_epi32(_mm512_maskz_unpacklo_epi32(0xffff, a, b),
                                _mm512_maskz_unpackhi_epi32(0xffff, a, b)),
          cd = _mm512_add_epi32(_mm512_maskz_unpacklo_epi32(0xffff, c, d),
                                _mm512_maskz_unpackhi_epi32(0xffff, c, d)),
          all = _mm512_add_epi32(_mm512_maskz_unpacklo_epi64(0xff, ab, cd),
                                 _mm512_maskz_unpackhi_epi64(0xff, ab, cd));
  const __m256i half = _mm256_add_epi32(_mm512_maskz_extracti64x4_epi64(0xf, all, 0),
                                        _mm512_maskz_extracti64x4_epi64(0xf, all, 1));
  return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

// A row and those behind it: sums of each lane of 4 columns.
template <int kRows>
struct Rows {
  LineSums<4> sums;
  Rows<kRows - 1> rest;

  SY_VNNI SY_FN void Add(const uint8_t* x, int64_t step, __mmask64 held, const Weights<4>& y) {
    sums.Add(_mm512_maskz_loadu_epi8(held, x), y);
    rest.Add(x + step, step, held, y);
  }
  SY_FN void Store(int32_t* to, int64_t ld, __mmask8 columns, __m128i taken) const {
    const __m128i found = SumsOf(sums.s0, sums.s1, sums.s2, sums.s3);
    _mm_mask_storeu_epi32(to, columns, _mm_sub_epi32(found, taken));
    rest.Store(to + ld, ld, columns, taken);
  }
};
template <>
struct Rows<0> {
  SY_FN void Add(const uint8_t*, int64_t, __mmask64, const Weights<4>&) {}
  SY_FN void Store(int32_t*, int64_t, __mmask8, __m128i) const {}
};

// columns: up to 4; behind them the last one is taken again.
template <int kRows>
SY_VNNI void FewTile(int32_t* sums, int64_t ld, const uint8_t* a, const int8_t* weight,
                     int64_t columns, int64_t terms, int32_t zero) {
  const int64_t last = columns - 1;
  const int8_t *const w1 = weight + terms * (last < 1 ? last : 1),
                      *const w2 = weight + terms * (last < 2 ? last : 2),
                      *const w3 = weight + terms * (last < 3 ? last : 3);
  const I one = _mm512_set1_epi8(1);
  Rows<kRows> rows;
  LineSums<4> whole;
  for (int64_t k = 0; k < terms; k += 64) {
    const __mmask64 held = FirstBytes(terms - k);
    const Weights<4> y = {
        _mm512_maskz_loadu_epi8(held, weight + k), _mm512_maskz_loadu_epi8(held, w1 + k),
        _mm512_maskz_loadu_epi8(held, w2 + k), _mm512_maskz_loadu_epi8(held, w3 + k)};
    rows.Add(a + k, terms, held, y);
    whole.Add(one, y);
  }
  const __m128i taken =
      _mm_mullo_epi32(SumsOf(whole.s0, whole.s1, whole.s2, whole.s3), _mm_set1_epi32(zero));
  rows.Store(sums, ld, static_cast<__mmask8>((1 << columns) - 1), taken);
}
void Few(int32_t* sums, int64_t ld, const uint8_t* a, int64_t rows, const int8_t* weight,
         int64_t columns, int64_t terms, int32_t zero) {
  for (int64_t c = 0; c < columns; c += 4, weight += 4 * terms) {
    const int64_t some = columns - c < 4 ? columns - c : 4;
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4)
      FewTile<4>(sums + r * ld + c, ld, a + r * terms, weight, some, terms, zero);
    int32_t* const to = sums + r * ld + c;
    if (rows - r == 1) FewTile<1>(to, ld, a + r * terms, weight, some, terms, zero);
    if (rows - r == 2) FewTile<2>(to, ld, a + r * terms, weight, some, terms, zero);
    if (rows - r == 3) FewTile<3>(to, ld, a + r * terms, weight, some, terms, zero);
  }
}

void Flip(uint8_t* to, const int8_t* from, int64_t n) {
  const I sign = _mm512_set1_epi8(-128);
  int64_t i = 0;
  for (; i + 64 <= n; i += 64) _mm512_storeu_si512(to + i, _mm512_xor_si512(Load(from + i), sign));
  const __mmask64 rest = FirstBytes(n - i);
  _mm512_mask_storeu_epi8(to + i, rest,
                          _mm512_xor_si512(_mm512_maskz_loadu_epi8(rest, from + i), sign));
}

}  // namespace

extern constexpr DotLoops dot = {&Pack, &Products, &Few, &Flip};

}  // namespace sy::cpu::SY_ISA

#else

namespace sy::cpu::SY_ISA {
extern constexpr DotLoops dot = {};
}  // namespace sy::cpu::SY_ISA

#endif
