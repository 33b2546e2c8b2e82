// The 16-bit and 8-bit floating types: storage formats with conversion to and from float, rounding
// to nearest even.
//
//   Half h(1.5f);  float f = h;
//
// ComplexHalf is a pair of them. They hold no arithmetic: whoever computes, computes in float.
// Formats: IEEE 754 binary16; bfloat16 = the upper half of binary32; OCP 8-bit E4M3 (finite and NaN
// only) and E5M2.
// Threads: any.
#ifndef SWITCHYARD_CORE_HALF_H_
#define SWITCHYARD_CORE_HALF_H_

#include <bit>
#include <complex>
#include <cstdint>

namespace sy {
namespace internal {

constexpr float HalfBitsToFloat(uint16_t h) {
  const uint32_t sign = uint32_t{h & 0x8000u} << 16;
  // Shift exponent and mantissa into place, then multiply by 2^112 to rebias; subnormals come out
  // normalised.
  float f = std::bit_cast<float>(uint32_t{h & 0x7fffu} << 13) * 0x1p112f;
  uint32_t bits = std::bit_cast<uint32_t>(f);
  if ((h & 0x7c00) == 0x7c00) bits |= 0x7f800000u;
  return std::bit_cast<float>(bits | sign);
}

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

constexpr float BFloat16BitsToFloat(uint16_t b) { return std::bit_cast<float>(uint32_t{b} << 16); }

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

template <int kExponentBits>
constexpr uint8_t FloatToFloat8Bits(float f) {
  constexpr int kMantissaBits = 7 - kExponentBits, kBias = (1 << (kExponentBits - 1)) - 1,
                kShift = 23 - kMantissaBits;
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

struct Half {
  uint16_t bits = 0;
  Half() = default;
  constexpr explicit Half(float f) : bits(internal::FloatToHalfBits(f)) {}
  constexpr operator float() const {
    return internal::HalfBitsToFloat(bits);
  }  // NOLINT(google-explicit-constructor)
};

struct ComplexHalf {
  Half re, im;
  ComplexHalf() = default;
  constexpr explicit ComplexHalf(std::complex<float> c) : re(c.real()), im(c.imag()) {}
  constexpr operator std::complex<float>() const {
    return {re, im};
  }  // NOLINT(google-explicit-constructor)
};

struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  constexpr explicit BFloat16(float f) : bits(internal::FloatToBFloat16Bits(f)) {}
  constexpr operator float() const { return internal::BFloat16BitsToFloat(bits); }  // NOLINT
};

struct Float8E4M3FN {
  uint8_t bits = 0;
  Float8E4M3FN() = default;
  constexpr explicit Float8E4M3FN(float f) : bits(internal::FloatToFloat8Bits<4>(f)) {}
  constexpr operator float() const { return internal::Float8BitsToFloat<4>(bits); }  // NOLINT
};

struct Float8E5M2 {
  uint8_t bits = 0;
  Float8E5M2() = default;
  constexpr explicit Float8E5M2(float f) : bits(internal::FloatToFloat8Bits<5>(f)) {}
  constexpr operator float() const { return internal::Float8BitsToFloat<5>(bits); }  // NOLINT
};

}  // namespace sy

#endif  // SWITCHYARD_CORE_HALF_H_
