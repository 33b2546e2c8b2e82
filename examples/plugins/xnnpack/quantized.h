// Numbers of quantised tensors: x = scale (q - zero), q in int8. The host has no quantised dtypes:
// tensors are int8, and their scales and zeros are arguments.
//
// Owns: nothing. Threads: any. Errors: Error for numbers out of range.
#ifndef XNNPACK_QUANTIZED_H_
#define XNNPACK_QUANTIZED_H_

#include <cmath>

#include "layout.h"

namespace xnnpack {

struct Scale {
  float scale;
  int8_t zero;
};

// Checked. name: of the argument, as "x_".
inline Scale ScaleOf(const char* name, double scale, int64_t zero) {
  const auto s = static_cast<float>(scale);
  if (!std::isnormal(s) || s < 0)
    throw Error(std::string(name) + "scale must be positive, got " + std::to_string(scale));
  if (zero < -128 || zero > 127)
    throw Error(std::string(name) + "zero must be from -128 to 127, got " + std::to_string(zero));
  return {s, static_cast<int8_t>(zero)};
}

inline void RequireDType(const char* name, Tensor t, DType dtype) {
  if (t.dtype() != dtype) {
    throw Error(std::string(name) + " must be " + (dtype == kInt8 ? "int8" : "float32"));
  }
}

// Bits of a float, for keys.
inline int64_t BitsOf(float f) {
  int32_t bits;
  std::memcpy(&bits, &f, sizeof(bits));
  return bits;
}

// What the output of a product is, and between what it is cut off: a rectifier is low = zero.
struct Quantized {
  Scale scale;
  int8_t low, high;
};
inline Quantized OutputOf(double scale, int64_t zero, int64_t low, int64_t high) {
  const Scale s = ScaleOf("out_", scale, zero);
  if (low < -128 || high > 127 || low >= high) {
    throw Error("low and high must be from -128 to 127, low the lower one, got " +
                std::to_string(low) + " and " + std::to_string(high));
  }
  return {s, static_cast<int8_t>(low), static_cast<int8_t>(high)};
}

// Of each output channel: the weight's scale, and the bias in units of input times weight.
struct Channels {
  std::vector<float> scales;
  std::vector<int32_t> bias;  // empty where there is none
};
// Errors: a scale that is not positive.
Channels ChannelsOf(Tensor scales, Tensor bias, float x_scale);

// A sum of quantised products as an output: what every kernel computes.
// scale: of the input times that of the weight, by that of the output.
inline int8_t Requantized(int32_t sum, float scale, const Quantized& out) {
  const auto zero = static_cast<float>(out.scale.zero);
  const float low = static_cast<float>(out.low) - zero, high = static_cast<float>(out.high) - zero;
  const float v = std::clamp(static_cast<float>(sum) * scale, low, high);
  return static_cast<int8_t>(std::lrint(v) + out.scale.zero);
}

// The parameters of a sum, as XNNPACK has them: numbers of 20 bits behind a shift.
struct SumNumbers {
  int32_t a, b;  // factors
  int shift;
};
// Declined outside of XNNPACK's range: ratios from 2^-10 up to 2^8.
SumNumbers SumNumbersOf(float a_scale, float b_scale, float out_scale);

}  // namespace xnnpack

#endif  // XNNPACK_QUANTIZED_H_
