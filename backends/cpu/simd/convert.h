// Conversions of contiguous elements between dtypes, as loops.
//
//   ConvertLoop<NumberStep<float, int64_t>>::Run   a Loop: int64 → float32
//
// A step maps a short vector of one element type to one of another with as many lanes. Where a
// conversion is not defined by C++ it is what x86-64's scalar instructions give, which is ATen's: a
// float outside an integer's range becomes the smallest int32 or int64, cut to the bits asked for.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_CONVERT_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_CONVERT_H_

#include "switchyard/backends/cpu/engine/loop.h"
#include "switchyard/backends/cpu/simd/io.h"

namespace sy::cpu::SY_ISA {

template <class Step>
struct ConvertLoop {
  static void Run(void* const* p, size_t n, unsigned mode) {
    using In = typename Step::In;
    using Out = decltype(Step::Apply(In{}));
    constexpr size_t kLanes = Step::kLanes;
    auto* out = static_cast<RawElement<Out>*>(p[0]);
    const auto* in = static_cast<const RawElement<In>*>(p[1]);
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      const Out r = Step::Apply(LoadRaw<In>(in + i * Step::kInParts));
      if constexpr (kCanStream<Out> && sizeof(Out) <= SY_VECTOR_BYTES) {
        if (mode & kStream) {
          StreamRaw(out + i * Step::kOutParts, r);
          continue;
        }
      }
      StoreRaw(out + i * Step::kOutParts, r);
    }
    for (; i < n; ++i) {  // one element in all lanes
      In x = In{};
      for (int k = 0; k < Step::kInParts; ++k) x[k] = in[i * Step::kInParts + k];
      const Out r = Step::Apply(x);
      for (int k = 0; k < Step::kOutParts; ++k) out[i * Step::kOutParts + k] = r[k];
    }
  }
};

// Floats as int32 or int64.
template <class To, class R>
SY_FN auto ToInteger(R x) {
#if defined(__x86_64__)
  return Convert<To>(x);
#else
  // NEON gives the nearest number that there is, and 0 of NaN.
  using From = RawElement<R>;
  constexpr From kEnd = sizeof(To) == 4 ? From(0x1p31) : From(0x1p63);
  return Convert<To>((x < kEnd) & (x > -kEnd) ? x : R{} - kEnd);
#endif
}

// kLanes elements of kInParts numbers each in memory become as many of kOutParts numbers.
template <class From, int kElements, int kIn = 1, int kOut = 1>
struct StepBase {
  static constexpr int kLanes = kElements, kInParts = kIn, kOutParts = kOut;
  using In = Raw<From, kElements * kIn>;
};
template <class A, class B>
inline constexpr int kCommonLanes = SY_VECTOR_BYTES /
                                    (sizeof(A) > sizeof(B) ? sizeof(A) : sizeof(B));

// Integers, float and double.
template <class To, class From>
struct NumberStep : StepBase<From, kCommonLanes<To, From>> {
  using typename StepBase<From, kCommonLanes<To, From>>::In;
  static SY_FN auto Apply(In x) {
    if constexpr (!kIsFloat<From> || kIsFloat<To>) {
      return Convert<To>(x);
    } else if constexpr (kSameType<To, uint64_t>) {
      // Above 2^63: shifted into int64's range, the top bit put back.
      const auto high = x >= From(0x1p63);
      const auto low = ToInteger<int64_t>(high ? x - From(0x1p63) : x);
      return Convert<uint64_t>(low ^ (Convert<int64_t>(high) & INT64_MIN));
    } else if constexpr (kSameType<To, uint8_t> || kSameType<To, uint32_t>) {
      return Convert<To>(ToInteger<int64_t>(x));
    } else if constexpr (sizeof(To) < 4) {
      return Convert<To>(ToInteger<int32_t>(x));
    } else {
      return ToInteger<To>(x);
    }
  }
};

template <class From>
struct ToBoolStep : StepBase<From, SY_VECTOR_BYTES / sizeof(From)> {
  static SY_FN auto Apply(Raw<From> x) {
    return (Raw<uint8_t, SY_VECTOR_BYTES / sizeof(From)>)Convert<int8_t>(
               (Raw<Int<sizeof(From)>>)(x != 0)) &
           1;
  }
};
template <class T>
struct ComplexToBoolStep : StepBase<T, SY_VECTOR_BYTES / sizeof(T) / 2, 2> {
  static constexpr int kN = SY_VECTOR_BYTES / sizeof(T) / 2;
  static SY_FN auto Apply(Raw<T> x) {
    const auto m = (Raw<Int<sizeof(T)>>)(x != 0);
    const auto either = ShuffleTo<EvenLanes<kN>, kN>(m) | ShuffleTo<OddLanes<kN>, kN>(m);
    return (Raw<uint8_t, kN>)Convert<int8_t>(either) & 1;
  }
};

// --- Complex numbers and their real parts.
template <class T>
struct RealPartStep : StepBase<T, SY_VECTOR_BYTES / sizeof(T) / 2, 2> {
  static constexpr int kN = SY_VECTOR_BYTES / sizeof(T) / 2;
  static SY_FN auto Apply(Raw<T> x) { return ShuffleTo<EvenLanes<kN>, kN>(x); }
};
template <int kN>
struct WithZeros {  // of a vector of kN lanes and one of zeros
  static constexpr int At(int i) { return i / 2 + (i & 1) * kN; }
};
template <class T>
struct ToComplexStep : StepBase<T, SY_VECTOR_BYTES / sizeof(T) / 2, 1, 2> {
  static constexpr int kN = SY_VECTOR_BYTES / sizeof(T) / 2;
  static SY_FN Raw<T> Apply(Raw<T, kN> x) {
    return ShuffleTo<WithZeros<kN>, 2 * kN>(x, Raw<T, kN>{});
  }
};
// A step of the parts, for pairs of them.
template <class Step>
struct PairsLoop {
  static void Run(void* const* p, size_t n, unsigned mode) {
    ConvertLoop<Step>::Run(p, 2 * n, mode);
  }
};

// --- 16-bit floats
template <class Half>
struct FromHalfStep : StepBase<uint16_t, kHalfLanes> {
  static SY_FN Raw<float> Apply(HalfBits x) {
    if constexpr (kSameType<Half, Float16>) {
      return Float16ToFloat(x);
    } else {
      return (Raw<float>)(Widen(x) << 16);
    }
  }
};
template <class Half>
struct ToHalfStep : StepBase<float, kHalfLanes> {
  static SY_FN HalfBits Apply(Raw<float> x) {
    if constexpr (kSameType<Half, Float16>) {
      return FloatToFloat16(x);
    } else {
      return Io<BFloat16>::Narrow(x);
    }
  }
};

// --- 8-bit floats: OCP E4M3 (no infinities) and E5M2, as core/half.h has them one at a time.
template <int kExponentBits>
struct Float8 {
  static constexpr int kMantissa = 7 - kExponentBits, kShift = 23 - kMantissa;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr bool kE4M3 = kExponentBits == 4;
};
template <int kExponentBits>
struct FromFloat8Step : StepBase<uint8_t, kHalfLanes> {
  static SY_FN Raw<float> Apply(Raw<uint8_t, kHalfLanes> x) {
    using U = Raw<uint32_t>;
    using F = Float8<kExponentBits>;
    const U u = Convert<uint32_t>(x), sign = (u & 0x80) << 24, a = u & 0x7f;
    // Multiplying moves the exponent to float's bias, subnormals included.
    const float rebias = __builtin_bit_cast(float, uint32_t(254 - F::kBias) << 23);
    const U magnitude = (U)((Raw<float>)(a << F::kShift) * rebias);
    const U special = F::kE4M3 ? (U)(a == 0x7f) & 0x7fc00000 : (U)(a >= 0x7c) & 0x7f800000;
    return (Raw<float>)(magnitude | special | sign);
  }
};
template <int kExponentBits>
struct ToFloat8Step : StepBase<float, kHalfLanes> {
  static SY_FN Raw<uint8_t, kHalfLanes> Apply(Raw<float> x) {
    using U = Raw<uint32_t>;
    using F = Float8<kExponentBits>;
    // The first magnitude that rounds past the largest finite one: 2^9 - 2^5 = 480, 2^16 - 2^12.
    constexpr uint32_t kOverflow = F::kE4M3 ? 0x43f00000 : 0x47700000;
    constexpr uint32_t kSmallestNormal = uint32_t(128 - F::kBias) << 23;
    constexpr uint32_t kMagic = uint32_t(128 - F::kBias + F::kShift) << 23;
    const U u = (U)x, sign = (u >> 24) & 0x80, a = u & 0x7fffffff;
    const U normal = (a - (uint32_t(127 - F::kBias) << 23) + ((1u << (F::kShift - 1)) - 1) +
                      ((a >> F::kShift) & 1)) >>
                     F::kShift;
    // Adding a large power of two leaves the format's unit as the last bit.
    const U subnormal = (U)((Raw<float>)a + __builtin_bit_cast(float, kMagic)) - kMagic;
    U r = (a < kSmallestNormal) ? subnormal : normal;
    r = (a >= kOverflow) ? U{} + (F::kE4M3 ? 0x7f : 0x7c) : r;
    if constexpr (!F::kE4M3) r = (a > 0x7f800000) ? U{} + 0x7f : r;
    return Convert<uint8_t>(r | sign);
  }
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_CONVERT_H_
