// The 16-bit and 8-bit floating types: storage formats with conversion to and from float, rounding
// to nearest even.
//
//   Half h = 1.5;  h = 2;  float f = h;  std::numeric_limits<Half>::max();
//
// ComplexHalf is a pair of them. They convert from numbers as float does, rounding what a float
// holds of them, and hold no arithmetic: whoever computes, computes in float. Formats: IEEE 754
// binary16; bfloat16 = the upper half of binary32; OCP 8-bit E4M3 (finite and NaN only) and E5M2.
//
//               exponent  mantissa  largest   smallest normal  smallest above 0
//   Half         5 bits   10 bits     65504       2^-14            2^-24
//   BFloat16     8         7       3.39e38        2^-126           2^-133
//   Float8E4M3FN 4         3           448        2^-6             2^-9
//   Float8E5M2   5         2         57344        2^-14            2^-16
//
// To float is exact. From float, what rounds past the largest becomes infinity, NaN in E4M3FN; NaN
// stays NaN, and -0 stays -0. A double becomes a float first and so is rounded twice.
//
// What some floats become:
//
//                  Half       BFloat16     Float8E4M3FN   Float8E5M2
//   0.1          0.0999756    0.10009766     0.1015625      0.09375
//   300           300          300            288            320
//   70000         inf          70144          nan            inf
//   1e-6        1.0132e-06    9.9838e-07       0              0
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_CORE_HALF_H_
#define SWITCHYARD_CORE_HALF_H_

#include <bit>
#include <complex>
#include <cstdint>
#include <limits>

namespace sy {
namespace internal {

// Exact, of subnormals, infinities and NaNs too; a NaN keeps its payload.
constexpr float HalfBitsToFloat(uint16_t h) {
  const uint32_t sign = uint32_t{h & 0x8000u} << 16;
  // Shift exponent and mantissa into place, then multiply by 2^112 to rebias; subnormals come out
  // normalised.
  float f = std::bit_cast<float>(uint32_t{h & 0x7fffu} << 13) * 0x1p112f;
  uint32_t bits = std::bit_cast<uint32_t>(f);
  if ((h & 0x7c00) == 0x7c00) bits |= 0x7f800000u;
  return std::bit_cast<float>(bits | sign);
}

// Overflow, subnormal and normal numbers each by their own way; a NaN keeps its sign and no
// payload.
constexpr uint16_t FloatToHalfBits(float f) {
  const uint32_t u = std::bit_cast<uint32_t>(f);
  const uint32_t sign = (u >> 16) & 0x8000, a = u & 0x7fffffff;
  if (a > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (a >= 0x477ff000u)
    return static_cast<uint16_t>(sign | 0x7c00u);  // 65520 and above round to infinity
  if (a < 0x38800000u) {  // below 2^-14: the adder rounds to a multiple of 2^-24
    const uint32_t r = std::bit_cast<uint32_t>(std::bit_cast<float>(a) + 0.5f) - 0x3f000000u;
    return static_cast<uint16_t>(sign | r);
  }
  return static_cast<uint16_t>(sign | ((a - 0x38000000u + 0xfff + ((a >> 13) & 1)) >> 13));
}

// Exact: the bits are those of a float's upper half.
constexpr float BFloat16BitsToFloat(uint16_t b) { return std::bit_cast<float>(uint32_t{b} << 16); }

// The lower half is added in with its rounding; a NaN becomes the one positive quiet NaN.
constexpr uint16_t FloatToBFloat16Bits(float f) {
  const uint32_t u = std::bit_cast<uint32_t>(f);
  if ((u & 0x7fffffff) > 0x7f800000u) return 0x7fc0;
  return static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}

// 8-bit float with `kExponentBits`; E5M2 has infinities, E4M3FN has none and saturates to NaN.
template <int kExponentBits>
constexpr float Float8BitsToFloat(uint8_t b) {
  constexpr int kMantissaBits = 7 - kExponentBits, kBias = (1 << (kExponentBits - 1)) - 1;
  const uint32_t sign = uint32_t{b & 0x80u} << 24;
  const uint32_t e = (b & 0x7fu) >> kMantissaBits, m = b & ((1u << kMantissaBits) - 1);
  if constexpr (kExponentBits == 4) {
    if ((b & 0x7f) == 0x7f) return std::bit_cast<float>(sign | 0x7fc00000u);
  } else {
    if (e == 31) return std::bit_cast<float>(sign | 0x7f800000u | (m << (23 - kMantissaBits)));
  }
  if (e == 0) {  // m * 2^(1 - bias - mantissa bits)
    const float scale = std::bit_cast<float>(uint32_t(127 + 1 - kBias - kMantissaBits) << 23);
    const float f = static_cast<float>(m) * scale;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(f) | sign);
  }
  return std::bit_cast<float>(sign | ((e + 127 - kBias) << 23) | (m << (23 - kMantissaBits)));
}

// kExponentBits: 4 (E4M3FN) or 5 (E5M2).
template <int kExponentBits>
constexpr uint8_t FloatToFloat8Bits(float f) {
  constexpr int kMantissaBits = 7 - kExponentBits, kBias = (1 << (kExponentBits - 1)) - 1,
                kShift = 23 - kMantissaBits;
  // The one without infinities.
  constexpr bool kE4M3 = kExponentBits == 4;
  const uint32_t u = std::bit_cast<uint32_t>(f);
  const uint8_t sign = static_cast<uint8_t>((u >> 24) & 0x80);
  const uint32_t a = u & 0x7fffffff;
  // First magnitude that is past the largest finite value once rounded: 2^9 - 2^4 = 480 (E4M3),
  // 2^16 - 2^12 (E5M2).
  constexpr uint32_t kOverflow = kE4M3 ? 0x43f00000u : 0x47800000u - 0x00100000u;
  if (kE4M3) {
    if (a >= kOverflow) return sign | 0x7f;
  } else {
    if (a > 0x7f800000u) return sign | 0x7f;
    if (a >= kOverflow) return sign | 0x7c;
  }
  if (a < (uint32_t(127 + 1 - kBias)
           << 23)) {  // subnormal: add 2^k so that the last bit is a unit of the format
    constexpr uint32_t kMagic = uint32_t(127 + 1 - kBias + 23 - kMantissaBits) << 23;
    const uint32_t r =
        std::bit_cast<uint32_t>(std::bit_cast<float>(a) + std::bit_cast<float>(kMagic)) - kMagic;
    return static_cast<uint8_t>(sign | r);
  }
  const uint32_t r =
      (a - (uint32_t(127 - kBias) << 23) + (1u << (kShift - 1)) - 1 + ((a >> kShift) & 1)) >>
      kShift;
  return static_cast<uint8_t>(sign | r);
}

}  // namespace internal

// float16. Default-initialised to 0; two bytes, as memory has it.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  constexpr Half(float f) : bits(internal::FloatToHalfBits(f)) {}
  constexpr operator float() const { return internal::HalfBitsToFloat(bits); }
};

// complex32: a pair of float16, the real part first.
struct ComplexHalf {
  Half re, im;
  ComplexHalf() = default;
  constexpr ComplexHalf(std::complex<float> c) : re(c.real()), im(c.imag()) {}
  constexpr operator std::complex<float>() const { return {re, im}; }
};

// The range of float with 8 binary digits of precision.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  constexpr BFloat16(float f) : bits(internal::FloatToBFloat16Bits(f)) {}
  constexpr operator float() const { return internal::BFloat16BitsToFloat(bits); }  // NOLINT
};

// "FN": finite, and NaN. The more precise of the two 8-bit floats; overflow gives NaN.
struct Float8E4M3FN {
  uint8_t bits = 0;
  Float8E4M3FN() = default;
  constexpr Float8E4M3FN(float f) : bits(internal::FloatToFloat8Bits<4>(f)) {}
  constexpr operator float() const { return internal::Float8BitsToFloat<4>(bits); }  // NOLINT
};

// The one with half's range, infinities and NaNs.
struct Float8E5M2 {
  uint8_t bits = 0;
  Float8E5M2() = default;
  constexpr Float8E5M2(float f) : bits(internal::FloatToFloat8Bits<5>(f)) {}
  constexpr operator float() const { return internal::Float8BitsToFloat<5>(bits); }  // NOLINT
};

namespace internal {

// 2^e, for constants.
constexpr float PowerOfTwo(int e) {
  float f = 1;
  for (; e > 0; --e) f *= 2;
  for (; e < 0; ++e) f /= 2;
  return f;
}

// std::numeric_limits of a type of kDigits binary digits, the hidden one included, whose normal
// numbers are 2^(kMinExponent - 1) to max(). kMin10, kMax10: the powers of ten among them.
// kSignaling: bits of a signaling NaN; 0 where all NaNs are quiet.
template <class T, int kDigits, int kMinExponent, int kMin10, int kMaxExponent, int kMax10,
          uint32_t kSignaling>
// What std::numeric_limits says of each, from a handful of numbers.
struct SmallFloatLimits {
  // The same names as in std::numeric_limits, whose meaning they have.
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false,
                        is_exact = false, is_iec559 = false, is_bounded = true, is_modulo = false,
                        has_infinity = true, has_quiet_NaN = true,
                        has_signaling_NaN = kSignaling != 0, has_denorm_loss = false, traps = false,
                        tinyness_before = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  // Digits in base ten: floor((n - 1) * log10(2)) and ceil(n * log10(2) + 1), C's definitions.
  static constexpr int radix = 2, digits = kDigits, digits10 = (kDigits - 1) * 30103 / 100000,
                       max_digits10 = kDigits * 30103 / 100000 + 2, min_exponent = kMinExponent,
                       min_exponent10 = kMin10, max_exponent = kMaxExponent,
                       max_exponent10 = kMax10;

  static constexpr T min() noexcept { return T(PowerOfTwo(kMinExponent - 1)); }
  static constexpr T max() noexcept {
    return T((2 - PowerOfTwo(1 - kDigits)) * PowerOfTwo(kMaxExponent - 1));
  }
  static constexpr T lowest() noexcept { return T(-static_cast<float>(max())); }
  static constexpr T denorm_min() noexcept { return T(PowerOfTwo(kMinExponent - kDigits)); }
  static constexpr T epsilon() noexcept { return T(PowerOfTwo(1 - kDigits)); }
  static constexpr T round_error() noexcept { return T(0.5f); }
  static constexpr T infinity() noexcept { return T(std::numeric_limits<float>::infinity()); }
  static constexpr T quiet_NaN() noexcept { return T(std::numeric_limits<float>::quiet_NaN()); }
  static constexpr T signaling_NaN() noexcept {
    return std::bit_cast<T>(static_cast<decltype(T::bits)>(kSignaling));
  }
};

}  // namespace internal
}  // namespace sy

// 11 digits, 2^-14 … 65504; the one of these types that IEEE 754 names.
template <>
struct std::numeric_limits<sy::Half>
    : sy::internal::SmallFloatLimits<sy::Half, 11, -13, -4, 16, 4, 0x7d00> {
  static constexpr bool is_iec559 = true;
};
// 8 digits in the range of float.
template <>
struct std::numeric_limits<sy::BFloat16>
    : sy::internal::SmallFloatLimits<sy::BFloat16, 8, -125, -37, 128, 38, 0x7fa0> {};
// 3 digits in the range of Half.
template <>
struct std::numeric_limits<sy::Float8E5M2>
    : sy::internal::SmallFloatLimits<sy::Float8E5M2, 3, -13, -4, 16, 4, 0x7d> {};
// What would be infinities are numbers too, but for one NaN of each sign, which takes the place of
// the largest.
template <>
struct std::numeric_limits<sy::Float8E4M3FN>
    : sy::internal::SmallFloatLimits<sy::Float8E4M3FN, 4, -5, -1, 9, 2, 0> {
  static constexpr bool has_infinity = false;
  static constexpr sy::Float8E4M3FN max() noexcept { return sy::Float8E4M3FN(448); }
  static constexpr sy::Float8E4M3FN lowest() noexcept { return sy::Float8E4M3FN(-448); }
  static constexpr sy::Float8E4M3FN infinity() noexcept { return {}; }  // has none
};

#endif  // SWITCHYARD_CORE_HALF_H_
