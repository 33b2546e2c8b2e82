// How tensor cores round float32.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_ROUNDING_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_ROUNDING_H_

#include <bit>
#include <cmath>
#include <cstdint>

namespace sy::cuda {

// TF32: 10 bits of mantissa, to nearest, ties to even.
inline double ToTf32(double x) {
  const auto f = static_cast<float>(x);
  if (!std::isfinite(f)) return x;
  const auto bits = std::bit_cast<uint32_t>(f);
  return std::bit_cast<float>((bits + 0x0fffu + ((bits >> 13) & 1)) & ~uint32_t{0x1fff});
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_ROUNDING_H_
