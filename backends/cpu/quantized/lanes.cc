// Loops over quantised numbers for one instruction set.
#include "backends/cpu/quantized/lanes.h"

#include "backends/cpu/quantized/instructions.h"
#include "switchyard/backends/cpu/simd/math.h"

namespace sy::cpu::SY_ISA {
namespace {

constexpr int64_t kLanes = SY_VECTOR_BYTES / 4, kBytes = SY_VECTOR_BYTES;

// f(i) for every group of kGroup elements from i on; the last one ends where the elements do, and
// overlaps the one before it. n >= kGroup.
template <int64_t kGroup, class F>
SY_FN void Groups(int64_t n, F f) {
  int64_t i = 0;
  for (; i + kGroup <= n; i += kGroup) f(i);
  if (i < n) f(n - kGroup);
}

// Fewer elements than a group has, with others behind them; and back.
template <class T, int64_t kGroup>
struct Few {
  T data[kGroup] = {};
  Few() = default;
  Few(const T* from, int64_t n) {
    __builtin_memcpy(data, from, static_cast<size_t>(n) * sizeof(T));
  }
  void Store(T* to, int64_t n) const {
    __builtin_memcpy(to, data, static_cast<size_t>(n) * sizeof(T));
  }
};

// --- Integers of steps, which are numbers over scales. Steps are limited first: to integers within
// what 16 bits and more hold, so that rounding them, adding a zero point and what is out of range
// are all exact. Of NaN the second one is taken.
SY_FN RawI Rounded(Vec<float> steps) {
  constexpr float kLimit = 1 << 20;
  return ToNearest(larger(smaller(steps, Vec<float>(kLimit)), Vec<float>(-kLimit)).v);
}
// steps(k): the k-th vector of a group of kBytes.
template <class T, class Steps, class Zero>
SY_FN Raw<T> Integers(Steps steps, Zero zero) {
  return Packed<T>(Rounded(steps(0)) + zero(0), Rounded(steps(1)) + zero(1),
                   Rounded(steps(2)) + zero(2), Rounded(steps(3)) + zero(3));
}
template <class T, class Steps>
SY_FN void StoreIntegers(T* to, Steps steps, const ToIntegers<T>& by) {
  const Raw<T> all = Integers<T>(steps, [&](int) { return RawI{} + by.zero; }),
               least = Raw<T>{} + by.least;
  StoreRaw(to, all > least ? all : least);
}

template <class T, bool kEach>
SY_FN void QuantizeGroups(T* to, const float* from, int64_t n, const float* factor,
                          const int32_t* zero) {
  const Vec<float> one(factor[0]);
  const RawI one_zero = RawI{} + zero[0];
  Groups<kBytes>(n, [&](int64_t i) {
    StoreRaw(to + i,
             Integers<T>(
                 [&](int k) {
                   const int64_t at = i + k * kLanes;
                   return Vec<float>::Load(from + at) *
                          (kEach ? Vec<float>::Load(factor + at) : one);
                 },
                 [&](int k) { return kEach ? LoadRaw<RawI>(zero + i + k * kLanes) : one_zero; }));
  });
}
template <class T>
void Quantize(T* to, const float* from, int64_t n, const AffineNumbers& by) {
  if (n < kBytes) {
    const Few<float, kBytes> x(from, n), factor(by.factor, by.each ? n : 1);
    const Few<int32_t, kBytes> zero(by.zero, by.each ? n : 1);
    Few<T, kBytes> y;
    Quantize(y.data, x.data, kBytes, {factor.data, zero.data, by.each});
    return y.Store(to, n);
  }
  if (by.each) return QuantizeGroups<T, true>(to, from, n, by.factor, by.zero);
  QuantizeGroups<T, false>(to, from, n, by.factor, by.zero);
}

template <class T>
SY_FN Vec<float> Number(const T* p, RawI zero, Vec<float> scale) {
  return Vec<float>(Convert<float>(Widened(p) - zero)) * scale;
}
template <class T>
void Dequantize(float* to, const T* from, int64_t n, const AffineNumbers& by) {
  if (n < kLanes) {
    const Few<T, kBytes> x(from, n);
    const Few<float, kLanes> factor(by.factor, by.each ? n : 1);
    const Few<int32_t, kLanes> zero(by.zero, by.each ? n : 1);
    Few<float, kLanes> y;
    Dequantize(y.data, x.data, kLanes, {factor.data, zero.data, by.each});
    return y.Store(to, n);
  }
  if (by.each) {
    return Groups<kLanes>(n, [&](int64_t i) {
      Number(from + i, LoadRaw<RawI>(by.zero + i), Vec<float>::Load(by.factor + i)).Store(to + i);
    });
  }
  const Vec<float> scale(by.factor[0]);
  const RawI zero = RawI{} + by.zero[0];
  Groups<kLanes>(n, [&](int64_t i) { Number(from + i, zero, scale).Store(to + i); });
}

struct Sum {
  static SY_FN Vec<float> Of(Vec<float> a, Vec<float> b) { return a + b; }
};
struct Product {
  static SY_FN Vec<float> Of(Vec<float> a, Vec<float> b) { return a * b; }
};
template <class T, class Op>
void Combine(T* to, const T* a, const T* b, int64_t n, OneScale of_a, OneScale of_b,
             ToIntegers<T> by) {
  if (n < kBytes) {
    const Few<T, kBytes> x(a, n), y(b, n);
    Few<T, kBytes> z;
    Combine<T, Op>(z.data, x.data, y.data, kBytes, of_a, of_b, by);
    return z.Store(to, n);
  }
  const Vec<float> scale_a(of_a.scale), scale_b(of_b.scale), inverse(by.inverse);
  const RawI zero_a = RawI{} + of_a.zero, zero_b = RawI{} + of_b.zero;
  Groups<kBytes>(n, [&](int64_t i) {
    StoreIntegers<T>(
        to + i,
        [&](int k) {
          const int64_t at = i + k * kLanes;
          return Op::Of(Number(a + at, zero_a, scale_a), Number(b + at, zero_b, scale_b)) * inverse;
        },
        by);
  });
}

// --- Sums of products.
SY_FN Vec<float> Scaled(const int32_t* sums, const float* steps, const float* added) {
  return Vec<float>(Convert<float>(LoadRaw<RawI>(sums))) * Vec<float>::Load(steps) +
         Vec<float>::Load(added);
}
template <class T>
void Requantize(T* to, const int32_t* sums, int64_t n, const float* steps, const float* added,
                ToIntegers<T> by) {
  if (n < kBytes) {
    const Few<int32_t, kBytes> x(sums, n);
    const Few<float, kBytes> s(steps, n), b(added, n);
    Few<T, kBytes> y;
    Requantize(y.data, x.data, kBytes, s.data, b.data, by);
    return y.Store(to, n);
  }
  const Vec<float> inverse(by.inverse);
  Groups<kBytes>(n, [&](int64_t i) {
    StoreIntegers<T>(
        to + i,
        [&](int k) {
          const int64_t at = i + k * kLanes;
          return Scaled(sums + at, steps + at, added + at) * inverse;
        },
        by);
  });
}
void Scale(float* to, const int32_t* sums, int64_t n, const float* steps, const float* added) {
  if (n < kLanes) {
    for (int64_t i = 0; i < n; ++i) to[i] = static_cast<float>(sums[i]) * steps[i] + added[i];
    return;
  }
  Groups<kLanes>(n, [&](int64_t i) { Scaled(sums + i, steps + i, added + i).Store(to + i); });
}

void Range(const float* from, int64_t n, float* least, float* most) {
  const Few<float, kLanes> few(from, n < kLanes ? n : 0);
  if (n < kLanes) {
    float low = few.data[0], high = low;
    bool nan = false;
    for (int64_t i = 0; i < n; ++i) {
      const float x = few.data[i];
      low = x < low ? x : low;
      high = x > high ? x : high;
      nan |= x != x;
    }
    *least = nan ? __builtin_nanf("") : low;
    *most = nan ? __builtin_nanf("") : high;
    return;
  }
  Vec<float> low = Vec<float>::Load(from), high = low;
  MaskOf<float> nan = isnan(low);
  Groups<kLanes>(n, [&](int64_t i) {
    const Vec<float> x = Vec<float>::Load(from + i);
    low = smaller(x, low);
    high = larger(x, high);
    nan = nan | isnan(x);
  });
  float all[2 * kLanes];
  low.Store(all);
  high.Store(all + kLanes);
  select(nan, Vec<float>(__builtin_nanf("")), low).Store(all);
  *least = all[0];
  *most = all[kLanes];
  for (int64_t i = 1; i < kLanes; ++i) {
    *least = all[i] < *least ? all[i] : *least;
    *most = all[kLanes + i] > *most ? all[kLanes + i] : *most;
  }
  for (int64_t i = 0; i < kLanes; ++i) {
    if (all[i] != all[i]) *least = *most = all[i];
  }
}

template <class T>
void Centre(int16_t* to, const T* from, int64_t n, int32_t zero) {
  constexpr int64_t kHalves = SY_VECTOR_BYTES / 2;
  const auto z = static_cast<int16_t>(zero);
  if (n < kHalves) {
    for (int64_t i = 0; i < n; ++i) to[i] = static_cast<int16_t>(from[i] - z);
    return;
  }
  Groups<kHalves>(n, [&](int64_t i) {
    StoreRaw(to + i, Convert<int16_t>(LoadRaw<Raw<T, kHalves>>(from + i)) - z);
  });
}

// --- Products. Of four vectors one after the other the sums of their lanes: pairs are added within
// 16 bytes, twice, then what lies 16 bytes apart.
template <int kN, int kStep, int kHigh>
struct Interleave {
  static constexpr int At(int i) {
    const int in = i % 4, from = kStep == 1 ? (in & 1) : in / 2;
    const int lane = kStep == 1 ? in / 2 + 2 * kHigh : in % 2 + 2 * kHigh;
    return i / 4 * 4 + lane + from * kN;
  }
};
template <int kStep>
SY_FN RawI AddPairs(RawI a, RawI b) {
  return Shuffle<Interleave<kLanes, kStep, 0>>(a, b) + Shuffle<Interleave<kLanes, kStep, 1>>(a, b);
}
using Four = Raw<int32_t, 4>;
template <int kAt>
struct Quarter {
  static constexpr int At(int i) { return 4 * kAt + i; }
};
SY_FN Four SumsOf(RawI a, RawI b, RawI c, RawI d) {
  const RawI all = AddPairs<2>(AddPairs<1>(a, b), AddPairs<1>(c, d));
  Four sums = ShuffleTo<Quarter<0>, 4>(all);
#if SY_VECTOR_BYTES >= 32
  sums += ShuffleTo<Quarter<1>, 4>(all);
#endif
#if SY_VECTOR_BYTES == 64
  sums += ShuffleTo<Quarter<2>, 4>(all) + ShuffleTo<Quarter<3>, 4>(all);
#endif
  return sums;
}

// As many rows as the registers have room for: a sum for each of four columns, those columns, and
// one of the row.
#if SY_VECTOR_BYTES == 64 || defined(__aarch64__)
constexpr int64_t kRows = 6;
#else
constexpr int64_t kRows = 3;
#endif

// columns: of four, those from there on are the last one again, and not stored.
template <int64_t kN>
SY_FN void Tile(int32_t* sums, int64_t ld, const int16_t* const* a, const int16_t* b,
                int64_t columns, const ProductRuns& runs, bool add) {
  constexpr int64_t kHalves = SY_VECTOR_BYTES / 2;
  const int64_t last = columns - 1, step = runs.b_step;
  const int16_t* const b1 = b + step * (last < 1 ? last : 1);
  const int16_t* const b2 = b + step * (last < 2 ? last : 2);
  const int16_t* const b3 = b + step * (last < 3 ? last : 3);
  RawI s[kN][4] = {};
  for (int64_t r = 0, from = 0; r < runs.count; ++r, from += runs.length) {
    const int16_t* x[kN];
#pragma GCC unroll 8
    for (int64_t i = 0; i < kN; ++i) x[i] = a[i] + runs.at[r];
    for (int64_t k = 0; k < runs.length; k += kHalves) {
      const RawH w0 = LoadRaw<RawH>(b + from + k), w1 = LoadRaw<RawH>(b1 + from + k),
                 w2 = LoadRaw<RawH>(b2 + from + k), w3 = LoadRaw<RawH>(b3 + from + k);
#pragma GCC unroll 8
      for (int64_t i = 0; i < kN; ++i) {
        const RawH v = LoadRaw<RawH>(x[i] + k);
        s[i][0] += MulPairs(v, w0);
        s[i][1] += MulPairs(v, w1);
        s[i][2] += MulPairs(v, w2);
        s[i][3] += MulPairs(v, w3);
      }
    }
  }
#pragma GCC unroll 8
  for (int64_t i = 0; i < kN; ++i) {
    const Four found = SumsOf(s[i][0], s[i][1], s[i][2], s[i][3]);
    int32_t* const to = sums + i * ld;
    if (columns >= 4) {
      StoreRaw(to, add ? found + LoadRaw<Four>(to) : found);
    } else {
      for (int64_t c = 0; c < columns; ++c) to[c] = add ? to[c] + found[c] : found[c];
    }
  }
}

void Products(int32_t* sums, int64_t ld, const int16_t* const* a, int64_t rows, const int16_t* b,
              int64_t columns, const ProductRuns& runs, bool add) {
  int64_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    for (int64_t c = 0; c < columns; c += 4)
      Tile<kRows>(sums + r * ld + c, ld, a + r, b + c * runs.b_step, columns - c, runs, add);
  }
  for (; r < rows; ++r) {
    for (int64_t c = 0; c < columns; c += 4)
      Tile<1>(sums + r * ld + c, ld, a + r, b + c * runs.b_step, columns - c, runs, add);
  }
}

// --- Channels by themselves. In each 16 bytes those halves of both, a number of each in turns.
template <int kHigh>
struct HalvesInTurns {
  static constexpr int At(int i) {
    constexpr int kN = SY_VECTOR_BYTES / 2;
    return i / 8 * 8 + i % 8 / 2 + 4 * kHigh + i % 2 * kN;
  }
};
// Back from that: 16 bytes of each in turns.
template <int kOut>
struct BlocksInTurns {
  static constexpr int At(int i) {
    const int block = kOut * static_cast<int>(kLanes) / 4 + i / 4;
    return block / 2 * 4 + i % 4 + block % 2 * static_cast<int>(kLanes);
  }
};

// 2 kLanes channels of kRows positions: two taps at a time.
template <int kRows>
SY_FN void ManyChannels(int32_t* sums, const int16_t* const* x, const int64_t* at,
                        const int16_t* weight, int64_t taps, int64_t c, int64_t channels) {
  RawI low[kRows] = {}, high[kRows] = {};
  for (int64_t t = 0; t < taps; t += 2) {
    const bool two = t + 1 < taps;
    const RawH w = LoadRaw<RawH>(weight + t * channels + c),
               v = two ? LoadRaw<RawH>(weight + (t + 1) * channels + c) : RawH{};
    const RawH pairs = Shuffle<HalvesInTurns<0>>(w, v), more = Shuffle<HalvesInTurns<1>>(w, v);
    const int64_t first = at[t] + c, second = at[two ? t + 1 : t] + c;
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
      const RawH a = LoadRaw<RawH>(x[i] + first), b = LoadRaw<RawH>(x[i] + second);
      low[i] += MulPairs(Shuffle<HalvesInTurns<0>>(a, b), pairs);
      high[i] += MulPairs(Shuffle<HalvesInTurns<1>>(a, b), more);
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < kRows; ++i) {
    int32_t* const to = sums + i * channels + c;
    StoreRaw(to, Shuffle<BlocksInTurns<0>>(low[i], high[i]));
    StoreRaw(to + kLanes, Shuffle<BlocksInTurns<1>>(low[i], high[i]));
  }
}
template <int kRows>
SY_FN void ChannelsOf(int32_t* sums, const int16_t* const* x, const int64_t* at,
                      const int16_t* weight, int64_t taps, int64_t channels) {
  Groups<2 * kLanes>(
      channels, [&](int64_t c) { ManyChannels<kRows>(sums, x, at, weight, taps, c, channels); });
}
// Fewer than 2 kLanes.
void FewChannels(int32_t* sums, const int16_t* x, const int64_t* at, const int16_t* weight,
                 int64_t taps, int64_t channels) {
  using Half = Raw<int16_t, kLanes>;
  int64_t c = 0;
  for (; c + kLanes <= channels; c += kLanes) {
    RawI s = {};
    for (int64_t t = 0; t < taps; ++t) {
      s += Convert<int32_t>(LoadRaw<Half>(x + at[t] + c)) *
           Convert<int32_t>(LoadRaw<Half>(weight + t * channels + c));
    }
    StoreRaw(sums + c, s);
  }
  for (; c < channels; ++c) {
    int32_t s = 0;
    for (int64_t t = 0; t < taps; ++t) s += x[at[t] + c] * weight[t * channels + c];
    sums[c] = s;
  }
}
void Channels(int32_t* sums, const int16_t* const* x, int64_t rows, const int64_t* at,
              const int16_t* weight, int64_t taps, int64_t channels) {
  int64_t r = 0;
  if (channels >= 2 * kLanes) {
    for (; r + 4 <= rows; r += 4)
      ChannelsOf<4>(sums + r * channels, x + r, at, weight, taps, channels);
    for (; r < rows; ++r) ChannelsOf<1>(sums + r * channels, x + r, at, weight, taps, channels);
  }
  for (; r < rows; ++r) FewChannels(sums + r * channels, x[r], at, weight, taps, channels);
}

template <class T>
constexpr QuantizedLoops<T> LoopsOf() {
  return {&Quantize<T>,         &Dequantize<T>, &Combine<T, Sum>,
          &Combine<T, Product>, &Requantize<T>, &Centre<T>};
}

}  // namespace

extern constexpr QuantizedTables quantized = {
    LoopsOf<uint8_t>(),
    LoopsOf<int8_t>(),
    {SY_VECTOR_BYTES / 2, &Products, &Channels, &Scale, &Range},
};

}  // namespace sy::cpu::SY_ISA
