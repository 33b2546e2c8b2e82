// Sixteen numbers of the uniform distribution into sixteen of the normal one: u[j] and u[j + 8]
// give radius and angle of a pair, r = sqrt(-2 ln(1 - u[j])), a = 2 pi u[j + 8].
//
//   Normals16(x, mean, std);   // x: float, double, Half or BFloat16, in place
//
// Digit for digit what ATen's normal_fill gives: float by its AVX2 loop, with logarithm, sine and
// cosine of the Cephes library and fused where that build fuses; 16-bit floats round after each
// step.
// Source: normal_fill_16 and normal_fill_16_AVX2, ATen/native/cpu/DistributionTemplates.h; S.
// Moshier, Cephes Mathematical Library, single/logf.c and single/sinf.c.
#ifndef SWITCHYARD_BACKENDS_CPU_RANDOM_BOX_MULLER_H_
#define SWITCHYARD_BACKENDS_CPU_RANDOM_BOX_MULLER_H_

#include <bit>
#include <cmath>
#include <numbers>

#include "switchyard/core/half.h"
#include "switchyard/core/macros.h"

namespace sy::cpu {

// x: normal and above 0. Cephes logf: x = m 2^e with m in [sqrt(1/2), sqrt(2)), then a polynomial
// in m - 1.
SY_INLINE float CephesLog(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const float m = std::bit_cast<float>((bits & 0x007fffffu) | 0x3f000000u);  // [1/2, 1)
  const bool small = m < 0.707106781186547524f;
  const float e = static_cast<float>(static_cast<int32_t>(bits >> 23) - 126) - (small ? 1.f : 0.f);
  const float r = (m - 1.f) + (small ? m : 0.f), z = r * r;
  float y = 7.0376836292e-2f;
  y = std::fma(y, r, -1.1514610310e-1f);
  y = std::fma(y, r, 1.1676998740e-1f);
  y = std::fma(y, r, -1.2420140846e-1f);
  y = std::fma(y, r, 1.4249322787e-1f);
  y = std::fma(y, r, -1.6668057665e-1f);
  y = std::fma(y, r, 2.0000714765e-1f);
  y = std::fma(y, r, -2.4999993993e-1f);
  y = std::fma(y, r, 3.3333331174e-1f);
  y = std::fma(y * r, z, e * -2.12194440e-4f);  // e ln 2, its low part
  y = std::fma(z, -0.5f, y);
  return std::fma(e, 0.693359375f, r + y);  // and its high part
}

// 0 <= x < 8192. Cephes sinf and cosf: x modulo pi/4 in three parts, then a polynomial each.
SY_INLINE void CephesSinCos(float x, float& sine, float& cosine) {
  const int32_t octant = (static_cast<int32_t>(x * 1.27323954473516f) + 1) & ~1;  // x 4/pi
  const float n = static_cast<float>(octant);
  x = std::fma(n, -0.78515625f, x);
  x = std::fma(n, -2.4187564849853515625e-4f, x);
  x = std::fma(n, -3.77489497744594108e-8f, x);
  const float z = x * x;
  float c = 2.443315711809948e-5f;
  c = std::fma(c, z, -1.388731625493765e-3f);
  c = std::fma(c, z, 4.166664568298827e-2f);
  c = std::fma(c * z, z, z * -0.5f) + 1.f;
  float s = -1.9515295891e-4f;
  s = std::fma(s, z, 8.3321608736e-3f);
  s = std::fma(s, z, -1.6666654611e-1f);
  s = std::fma(s * z, x, x);
  const bool swap = (octant & 2) != 0;
  const float a = swap ? c : s, b = swap ? s : c;
  sine = (octant & 4) != 0 ? -a : a;
  cosine = ((octant + 2) & 4) != 0 ? -b : b;
}

SY_INLINE void Normals16(float* x, float mean, float std) {
  constexpr float kTwoPi = static_cast<float>(2 * std::numbers::pi);
  for (int j = 0; j < 8; ++j) {
    const float radius = std::sqrt(-2.f * CephesLog(1.f - x[j]));
    float sine, cosine;
    CephesSinCos(kTwoPi * x[j + 8], sine, cosine);
    x[j] = std::fma(radius * cosine, std, mean);
    x[j + 8] = std::fma(radius * sine, std, mean);
  }
}

SY_INLINE void Normals16(double* x, double mean, double std) {
  for (int j = 0; j < 8; ++j) {
    const double radius = std::sqrt(-2 * std::log(1 - x[j]));
    const double angle = 2 * std::numbers::pi * x[j + 8];
    x[j] = std::fma(radius * std::cos(angle), std, mean);
    x[j + 8] = std::fma(radius * std::sin(angle), std, mean);
  }
}

template <class T>  // Half, BFloat16
SY_INLINE void Normals16(T* x, T mean, T std) {
  const auto round = [](float value) { return static_cast<float>(T(value)); };
  for (int j = 0; j < 8; ++j) {
    const float log = round(std::log(round(1 - static_cast<float>(x[j]))));
    const float radius = round(std::sqrt(round(-2 * log)));
    const double u = static_cast<float>(x[j + 8]);
    const float angle = round(static_cast<float>(2 * std::numbers::pi * u));
    const float c = round(radius * round(std::cos(angle)));
    const float s = round(radius * round(std::sin(angle)));
    x[j] = T(round(c * std) + mean);
    x[j + 8] = T(round(s * std) + mean);
  }
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_RANDOM_BOX_MULLER_H_
