// Moving and converting elements, for one instruction set.

#include "switchyard/backends/cpu/engine/helpers.h"

#include "switchyard/backends/cpu/simd/convert.h"

namespace sy::cpu::SY_ISA {
namespace {

struct Bytes16 {
  uint64_t low, high;
};
template <size_t kBytes>
struct UnitOf {
  using Type = Int<kBytes, false>;
};
template <>
struct UnitOf<16> {
  using Type = Bytes16;
};
template <size_t kBytes>
using Unit = typename UnitOf<kBytes>::Type;

// --- Copies
template <class T>
SY_FN void MoveEnds(char* d, const char* s, size_t n) {  // sizeof(T) <= n <= 2 * sizeof(T)
  const T first = LoadRaw<T>(s), last = LoadRaw<T>(s + n - sizeof(T));
  StoreRaw(d, first);
  StoreRaw(d + n - sizeof(T), last);
}

void CopyBytes(char* d, const char* s, size_t n, bool stream) {
  using V = Raw<uint8_t>;
  constexpr size_t kV = sizeof(V);
  if (n < kV) {
    if (n >= 32) return MoveEnds<Raw<uint8_t, 32>>(d, s, n);
    if (n >= 16) return MoveEnds<Raw<uint8_t, 16>>(d, s, n);
    if (n >= 8) return MoveEnds<uint64_t>(d, s, n);
    if (n >= 4) return MoveEnds<uint32_t>(d, s, n);
    if (n >= 2) return MoveEnds<uint16_t>(d, s, n);
    if (n == 1) *d = *s;
    return;
  }
  const V last = LoadRaw<V>(s + n - kV);
  size_t i = 0;
  if (stream) {
    for (; i + kV < n; i += kV) StreamRaw(d + i, LoadRaw<V>(s + i));
  } else {
    for (; i + kV < n; i += kV) StoreRaw(d + i, LoadRaw<V>(s + i));
  }
  StoreRaw(d + n - kV, last);
}

template <size_t kBytes>
void Copy(void* const* p, size_t n, unsigned mode) {
  CopyBytes(static_cast<char*>(p[0]), static_cast<const char*>(p[1]), n * kBytes,
            (mode & kStream) != 0);
}

template <class T>
SY_FN auto Broadcast(T x) {
  return Raw<T>{} + x;
}
SY_FN auto Broadcast(Bytes16 x) {
  Raw<uint64_t> v;
  for (size_t k = 0; k < SY_VECTOR_BYTES / 8; ++k) v[k] = k % 2 == 0 ? x.low : x.high;
  return v;
}

template <size_t kBytes>
void Fill(void* dst, const void* value, size_t n, bool stream) {
  using T = Unit<kBytes>;
  constexpr size_t kLanes = SY_VECTOR_BYTES / kBytes;
  const T x = *static_cast<const T*>(value);
  T* d = static_cast<T*>(dst);
  const auto v = Broadcast(x);
  size_t i = 0;
  if (n >= kLanes) StoreRaw(d + n - kLanes, v);
  if (stream) {
    for (; i + kLanes <= n; i += kLanes) StreamRaw(d + i, v);
  } else {
    for (; i + kLanes <= n; i += kLanes) {
      __builtin_prefetch(reinterpret_cast<const char*>(d + i) + 1024, 1);
      StoreRaw(d + i, v);
    }
  }
  if (n < kLanes) {
    for (; i < n; ++i) d[i] = x;
  }
}

template <size_t kBytes>
bool HasZero(const void* src, size_t n) {
  using T = Int<kBytes>;
  constexpr size_t kLanes = SY_VECTOR_BYTES / kBytes;
  const T* s = static_cast<const T*>(src);
  Raw<T> zeros{};
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) zeros |= (Raw<T>)(LoadRaw<Raw<T>>(s + i) == 0);
  T any = 0;
  for (size_t k = 0; k < kLanes; ++k) any |= zeros[k];
  for (; i < n; ++i) any |= s[i] == 0;
  return any != 0;
}

// Counted from least, as numbers without a sign: one out of range has bit 63, or leaves less than
// nothing of count - 1. A comparison of 64 bits is more than SSE2 has.
template <size_t kBytes>
bool AllInRange(const void* src, size_t n, int64_t least, uint64_t count) {
  using T = Int<kBytes>;
  using Wide = Raw<uint64_t>;
  constexpr size_t kLanes = SY_VECTOR_BYTES / 8;
  const T* s = static_cast<const T*>(src);
  const uint64_t first = static_cast<uint64_t>(least), last = count - 1;
  const auto beyond = [=](auto v) { return (v - first) | (last - (v - first)); };
  Wide bad{};
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    bad |= beyond(__builtin_convertvector((LoadRaw<Raw<T, kLanes>>(s + i)), Wide));
  uint64_t any = 0;
  for (size_t k = 0; k < kLanes; ++k) any |= bad[k];
  for (; i < n; ++i) any |= beyond(static_cast<uint64_t>(int64_t{s[i]}));
  return any >> 63 == 0;
}

// --- Strides
template <size_t kBytes>
void Gather(void* dst, const void* src, ptrdiff_t stride, size_t n) {
  using T = Unit<kBytes>;
  T* d = static_cast<T*>(dst);
  const char* s = static_cast<const char*>(src);
  if constexpr (kBytes < 16) {
    // Every second element; the last vector would read past the last one.
    if (stride == 2 * static_cast<ptrdiff_t>(kBytes)) {
      using R = Raw<T>;
      constexpr size_t kLanes = SY_VECTOR_BYTES / kBytes;
      for (; n > kLanes; n -= kLanes, s += 2 * sizeof(R), d += kLanes)
        StoreRaw(d, Shuffle<EvenLanes<kLanes>>(LoadRaw<R>(s), LoadRaw<R>(s + sizeof(R))));
    }
  }
  for (size_t i = 0; i < n; ++i, s += stride) d[i] = *reinterpret_cast<const T*>(s);
}
template <size_t kBytes>
void Scatter(void* dst, ptrdiff_t stride, const void* src, size_t n) {
  using T = Unit<kBytes>;
  char* d = static_cast<char*>(dst);
  const T* s = static_cast<const T*>(src);
  for (size_t i = 0; i < n; ++i, d += stride) *reinterpret_cast<T*>(d) = s[i];
}

template <int kN>
struct ReverseLanes {
  static constexpr int At(int i) { return kN - 1 - i; }
};
template <size_t kBytes>
void Reverse(void* dst, const void* src, size_t n) {
  using T = Unit<kBytes>;
  T* d = static_cast<T*>(dst);
  const T* s = static_cast<const T*>(src) + n;
  size_t i = 0;
  if constexpr (kBytes < 16 && (kBytes >= 4 || SY_VECTOR_BYTES >= 32)) {  // SSE2 shuffles no bytes
    using R = Raw<T>;
    constexpr size_t kLanes = SY_VECTOR_BYTES / kBytes;
    const auto reversed = [](const T* from) {
      const R r = LoadRaw<R>(from);
      return Shuffle<ReverseLanes<kLanes>>(r, r);
    };
    if (n >= kLanes) {  // the last vector overlaps the one before it
      for (; i + kLanes <= n; i += kLanes) StoreRaw(d + i, reversed(s - i - kLanes));
      StoreRaw(d + n - kLanes, reversed(s - n));
      return;
    }
  }
  for (; i < n; ++i) d[i] = *(s - i - 1);
}

// --- Transposes: kN x kN elements in registers, log2(kN) times pairs of rows kH apart exchange
// halves of blocks of 2 * kH lanes.
template <int kN, int kH>
struct KeepFirst {
  static constexpr int At(int k) { return (k & kH) != 0 ? kN + (k ^ kH) : k; }
};
template <int kN, int kH>
struct KeepSecond {
  static constexpr int At(int k) { return (k & kH) != 0 ? kN + k : (k | kH); }
};
template <int kN, int kH, class R>
SY_FN void ExchangeHalves(R* r) {
#pragma GCC unroll 16
  for (int i = 0; i < kN; ++i) {
    if ((i & kH) != 0) continue;
    const R a = r[i], b = r[i | kH];
    r[i] = Shuffle<KeepFirst<kN, kH>>(a, b);
    r[i | kH] = Shuffle<KeepSecond<kN, kH>>(a, b);
  }
  if constexpr (kH > 1) ExchangeHalves<kN, kH / 2>(r);
}
template <size_t kBytes>
inline constexpr int kTile = SY_VECTOR_BYTES / kBytes > 16 ? 16 : SY_VECTOR_BYTES / kBytes;

template <size_t kBytes>
SY_FN void TransposeTile(char* d, ptrdiff_t dst_stride, const char* s, ptrdiff_t src_stride) {
  constexpr int kN = kTile<kBytes>;
  using R = Raw<Unit<kBytes>, kN>;
  R r[kN];
#pragma GCC unroll 16
  for (int i = 0; i < kN; ++i) r[i] = LoadRaw<R>(s + i * src_stride);
  ExchangeHalves<kN, kN / 2>(r);
#pragma GCC unroll 16
  for (int i = 0; i < kN; ++i) StoreRaw(d + i * dst_stride, r[i]);
}

template <size_t kBytes>
SY_FN void MoveOne(char* d, const char* s) {
  *reinterpret_cast<Unit<kBytes>*>(d) = *reinterpret_cast<const Unit<kBytes>*>(s);
}

template <size_t kBytes>
void Transpose(void* dst, ptrdiff_t dst_stride, const void* src, ptrdiff_t src_stride, size_t rows,
               size_t columns) {
  char* d = static_cast<char*>(dst);
  const char* s = static_cast<const char*>(src);
  size_t j = 0;
  if constexpr (kBytes < 16) {
    constexpr size_t kN = kTile<kBytes>;
    for (; j + kN <= columns; j += kN) {
      size_t i = 0;
      for (; i + kN <= rows; i += kN) {
        const char* from = s + static_cast<ptrdiff_t>(i) * src_stride + j * kBytes;
        // The band of columns after this one is next in the same rows: the line it ends in.
        for (size_t k = 0; k < kN; ++k)
          __builtin_prefetch(from + static_cast<ptrdiff_t>(k) * src_stride + 63 + kN * kBytes);
        TransposeTile<kBytes>(d + static_cast<ptrdiff_t>(j) * dst_stride + i * kBytes, dst_stride,
                              from, src_stride);
      }
      for (; i < rows; ++i) {
        for (size_t k = j; k < j + kN; ++k)
          MoveOne<kBytes>(d + static_cast<ptrdiff_t>(k) * dst_stride + i * kBytes,
                          s + static_cast<ptrdiff_t>(i) * src_stride + k * kBytes);
      }
    }
  }
  for (; j < columns; ++j) {
    for (size_t i = 0; i < rows; ++i)
      MoveOne<kBytes>(d + static_cast<ptrdiff_t>(j) * dst_stride + i * kBytes,
                      s + static_cast<ptrdiff_t>(i) * src_stride + j * kBytes);
  }
}

// --- The table
constexpr int I(DType d) { return static_cast<int>(d); }

template <class To, class From>
constexpr Loop Number() {
  constexpr bool kIntegers = !kIsFloat<To> && !kIsFloat<From>;
  if constexpr (kSameType<To, From> || (kIntegers && sizeof(To) == sizeof(From))) {
    return &Copy<sizeof(To)>;
  } else if constexpr (kIntegers && sizeof(To) < sizeof(From)) {  // the low bits
    return &ConvertLoop<NumberStep<Int<sizeof(To)>, Int<sizeof(From)>>>::Run;
  } else if constexpr (kIntegers || (kIsFloat<From> && sizeof(To) == 2)) {
    return &ConvertLoop<NumberStep<Int<sizeof(To)>, From>>::Run;
  } else {
    return &ConvertLoop<NumberStep<To, From>>::Run;
  }
}

template <class From>
constexpr void SetNumbers(Loop (&to)[kNumDTypes]) {
  to[I(DType::kUInt8)] = Number<uint8_t, From>();
  to[I(DType::kInt8)] = Number<int8_t, From>();
  to[I(DType::kInt16)] = Number<int16_t, From>();
  to[I(DType::kInt32)] = Number<int32_t, From>();
  to[I(DType::kInt64)] = Number<int64_t, From>();
  to[I(DType::kUInt16)] = Number<uint16_t, From>();
  to[I(DType::kUInt32)] = Number<uint32_t, From>();
  to[I(DType::kUInt64)] = Number<uint64_t, From>();
  to[I(DType::kFloat32)] = Number<float, From>();
  to[I(DType::kFloat64)] = Number<double, From>();
  if constexpr (kIsFloat<From>) {
    to[I(DType::kBool)] = &ConvertLoop<ToBoolStep<From>>::Run;
  } else {
    to[I(DType::kBool)] = &ConvertLoop<ToBoolStep<Int<sizeof(From)>>>::Run;
  }
}

template <class Half>
constexpr void SetHalf(Helpers& h, DType d) {
  h.convert[I(d)][I(DType::kFloat32)] = &ConvertLoop<FromHalfStep<Half>>::Run;
  h.convert[I(DType::kFloat32)][I(d)] = &ConvertLoop<ToHalfStep<Half>>::Run;
}
template <int kExponentBits>
constexpr void SetFloat8(Helpers& h, DType d) {
  h.convert[I(d)][I(DType::kFloat32)] = &ConvertLoop<FromFloat8Step<kExponentBits>>::Run;
  h.convert[I(DType::kFloat32)][I(d)] = &ConvertLoop<ToFloat8Step<kExponentBits>>::Run;
}
template <class T>
constexpr void SetComplex(Helpers& h, DType d) {
  h.convert[I(d)][I(DType::kBool)] = &ConvertLoop<ComplexToBoolStep<T>>::Run;
  h.convert[I(d)][I(RealType(d))] = &ConvertLoop<RealPartStep<T>>::Run;
  h.convert[I(RealType(d))][I(d)] = &ConvertLoop<ToComplexStep<T>>::Run;
}

template <size_t kBytes>
constexpr void SetMoves(Helpers& h) {
  constexpr int k = SizeIndex(kBytes);
  h.copy[k] = &Copy<kBytes>;
  if constexpr (kBytes <= 8) h.has_zero[k] = &HasZero<kBytes>;
  if constexpr (kBytes == 4 || kBytes == 8) h.all_in_range[k] = &AllInRange<kBytes>;
  h.fill[k] = &Fill<kBytes>;
  h.gather[k] = &Gather<kBytes>;
  h.scatter[k] = &Scatter<kBytes>;
  h.reverse[k] = &Reverse<kBytes>;
  h.transpose[k] = &Transpose<kBytes>;
}

constexpr Helpers MakeHelpers() {
  Helpers h{};
  SetNumbers<uint8_t>(h.convert[I(DType::kBool)]);
  SetNumbers<uint8_t>(h.convert[I(DType::kUInt8)]);
  SetNumbers<int8_t>(h.convert[I(DType::kInt8)]);
  SetNumbers<int16_t>(h.convert[I(DType::kInt16)]);
  SetNumbers<int32_t>(h.convert[I(DType::kInt32)]);
  SetNumbers<int64_t>(h.convert[I(DType::kInt64)]);
  SetNumbers<uint16_t>(h.convert[I(DType::kUInt16)]);
  SetNumbers<uint32_t>(h.convert[I(DType::kUInt32)]);
  SetNumbers<uint64_t>(h.convert[I(DType::kUInt64)]);
  SetNumbers<float>(h.convert[I(DType::kFloat32)]);
  SetNumbers<double>(h.convert[I(DType::kFloat64)]);
  SetHalf<Float16>(h, DType::kFloat16);
  SetHalf<BFloat16>(h, DType::kBFloat16);
  SetFloat8<4>(h, DType::kFloat8E4M3FN);
  SetFloat8<5>(h, DType::kFloat8E5M2);
  SetComplex<float>(h, DType::kComplex64);
  SetComplex<double>(h, DType::kComplex128);
  h.convert[I(DType::kComplex32)][I(DType::kComplex64)] = &PairsLoop<FromHalfStep<Float16>>::Run;
  h.convert[I(DType::kComplex64)][I(DType::kComplex32)] = &PairsLoop<ToHalfStep<Float16>>::Run;
  h.convert[I(DType::kComplex64)][I(DType::kComplex128)] =
      &PairsLoop<NumberStep<double, float>>::Run;
  h.convert[I(DType::kComplex128)][I(DType::kComplex64)] =
      &PairsLoop<NumberStep<float, double>>::Run;
  SetMoves<1>(h);
  SetMoves<2>(h);
  SetMoves<4>(h);
  SetMoves<8>(h);
  SetMoves<16>(h);
  for (int d = 0; d < kNumDTypes; ++d) h.convert[d][d] = h.copy[SizeIndex(kItemSizes[d])];
  return h;
}

}  // namespace

extern constexpr Helpers helpers = MakeHelpers();

}  // namespace sy::cpu::SY_ISA
