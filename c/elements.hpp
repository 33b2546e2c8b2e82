// Element types: dtypes as C++ types, and the small floats that C++ has none for.
//
//   Visit<float, Half>(x.dtype(), [&](auto tag) { using T = typename decltype(tag)::type; … });
//   Half h = 1.5f;   float f = h;
//
// The small floats are storage: two bytes or one, converted to and from float, rounding to nearest
// even. What rounds past the largest becomes infinity, NaN in Float8E4M3FN, which has none.
// Part of switchyard/c/plugin.hpp, which includes it.
// Owns: nothing. Threads: any. Errors: Declined by Visit. Formats: IEEE 754 binary16, bfloat16, OCP
// 8-bit floating point.
#ifndef SWITCHYARD_C_ELEMENTS_HPP_
#define SWITCHYARD_C_ELEMENTS_HPP_

#include <cmath>
#include <complex>
#include <limits>

#include "switchyard/c/support.hpp"

namespace sy::abi {

namespace internal {

// A float of kExponent and kMantissa bits behind its sign, in the low bits of a word. kInfinite:
// whether its largest exponent is infinities and NaNs; else only all ones is a NaN.
template <int kExponent, int kMantissa, bool kInfinite>
struct SmallFloat {
  static constexpr int kBias = (1 << (kExponent - 1)) - 1;
  static constexpr uint32_t kOnes = (1u << (kExponent + kMantissa)) - 1;  // all but the sign
  static constexpr uint32_t kInfinity = ((1u << kExponent) - 1) << kMantissa;
  static constexpr uint32_t kNan = kInfinite ? kInfinity | 1u << (kMantissa - 1) : kOnes;
  static constexpr uint32_t kPastLargest = kInfinite ? kInfinity : kOnes;

  static float ToFloat(uint32_t bits) {
    const uint32_t a = bits & kOnes, e = a >> kMantissa, m = a & ((1u << kMantissa) - 1);
    float f;
    if (kInfinite ? a > kInfinity : a == kOnes) {
      f = std::numeric_limits<float>::quiet_NaN();
    } else if (kInfinite && a == kInfinity) {
      f = std::numeric_limits<float>::infinity();
    } else {
      const uint32_t digits = e == 0 ? m : m | 1u << kMantissa;
      f = std::ldexp(static_cast<float>(digits), std::max<int>(static_cast<int>(e), 1) - kBias - kMantissa);
    }
    return (bits >> (kExponent + kMantissa) & 1) != 0 ? -f : f;
  }

  static uint32_t FromFloat(float f) {
    const uint32_t sign = std::signbit(f) ? 1u << (kExponent + kMantissa) : 0;
    const float a = std::fabs(f);
    if (std::isnan(f)) return sign | kNan;
    if (std::isinf(f)) return sign | kPastLargest;
    if (a == 0) return sign;
    // Digits in units of the last place, which are those of subnormals at least.
    const int e = std::max(std::ilogb(a), 1 - kBias);
    const auto digits = static_cast<uint64_t>(std::nearbyint(std::ldexp(static_cast<double>(a), kMantissa - e)));
    // A carry goes on into the exponent.
    const uint64_t bits = digits + (static_cast<uint64_t>(e + kBias - 1) << kMantissa);
    return sign | static_cast<uint32_t>(std::min<uint64_t>(bits, kPastLargest));
  }
};

// A small float in memory.
template <class Format, class Bits>
struct Stored {
  Bits bits = 0;
  Stored() = default;
  Stored(float f) : bits(static_cast<Bits>(Format::FromFloat(f))) {}
  operator float() const { return Format::ToFloat(bits); }
};

}  // namespace internal

// Each as memory has it; 0 unless set.
using Half = internal::Stored<internal::SmallFloat<5, 10, true>, uint16_t>;
using BFloat16 = internal::Stored<internal::SmallFloat<8, 7, true>, uint16_t>;
using Float8E4M3FN = internal::Stored<internal::SmallFloat<4, 3, false>, uint8_t>;
using Float8E5M2 = internal::Stored<internal::SmallFloat<5, 2, true>, uint8_t>;
// A pair of Halfs, the real part first.
struct ComplexHalf {
  Half re, im;
  operator std::complex<float>() const { return {re, im}; }
};

// An element type, SY_FLOAT32 and so on, as a type of its own: no number is taken for one.
struct DType {
  uint32_t code;
  // Compares with constants: x.dtype() == DType{SY_FLOAT32}.
  friend constexpr bool operator==(DType a, DType b) { return a.code == b.code; }
  friend constexpr bool operator!=(DType a, DType b) { return a.code != b.code; }
};

namespace internal {
// SY_* of a C++ type; -1: it has none.
template <class T>
inline constexpr int kCodeOf = -1;
// One for each type that C++ and the ABI share.
template <>
inline constexpr int kCodeOf<bool> = SY_BOOL;
template <>
inline constexpr int kCodeOf<uint8_t> = SY_UINT8;
template <>
inline constexpr int kCodeOf<int8_t> = SY_INT8;
template <>
inline constexpr int kCodeOf<int16_t> = SY_INT16;
template <>
inline constexpr int kCodeOf<int32_t> = SY_INT32;
template <>
inline constexpr int kCodeOf<int64_t> = SY_INT64;
template <>
inline constexpr int kCodeOf<uint16_t> = SY_UINT16;
template <>
inline constexpr int kCodeOf<uint32_t> = SY_UINT32;
template <>
inline constexpr int kCodeOf<uint64_t> = SY_UINT64;
template <>
inline constexpr int kCodeOf<float> = SY_FLOAT32;
template <>
inline constexpr int kCodeOf<double> = SY_FLOAT64;
template <>
inline constexpr int kCodeOf<std::complex<float>> = SY_COMPLEX64;
template <>
inline constexpr int kCodeOf<std::complex<double>> = SY_COMPLEX128;
template <>
inline constexpr int kCodeOf<Half> = SY_FLOAT16;
template <>
inline constexpr int kCodeOf<BFloat16> = SY_BFLOAT16;
template <>
inline constexpr int kCodeOf<ComplexHalf> = SY_COMPLEX32;
template <>
inline constexpr int kCodeOf<Float8E4M3FN> = SY_FLOAT8_E4M3FN;
template <>
inline constexpr int kCodeOf<Float8E5M2> = SY_FLOAT8_E5M2;
}  // namespace internal

// Calls f(TypeTag<T>) for the C++ type behind a dtype, one of T...; Declined otherwise.
//   Visit<float, double>(x.dtype(), [&](auto tag) { using T = typename decltype(tag)::type; … });
template <class... T, class F>
void Visit(DType dtype, F&& f) {
  const bool found =
      (false || ... ||
       (static_cast<int>(dtype.code) == internal::kCodeOf<T> ? (f(TypeTag<T>()), true) : false));
  if (!found) throw Declined();
}

// The same for every dtype there is.
template <class F>
void VisitAny(DType dtype, F&& f) {
  Visit<bool, uint8_t, int8_t, int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t, Half,
        BFloat16, float, double, ComplexHalf, std::complex<float>, std::complex<double>,
        Float8E4M3FN, Float8E5M2>(dtype, std::forward<F>(f));
}

}  // namespace sy::abi

#endif  // SWITCHYARD_C_ELEMENTS_HPP_
