// What operators ask of quantised tensors, layers of input, weight and bias, on every device.
//
//   const Quantizer& by = RequirePerTensor(call.op(), self, "self");
//
//   const LayerFactors f = RequireFactors(call.op(), input, weight, bias, weight.sizes()[0]);
//   // number = (sum of (input - f.input_zero) * weight) * f.steps[channel] + bias[channel]
//
// Owns: a step for each output channel.
// Threads: any.
// Errors: kInvalidArgument for tensors that are not quantised as operators take them; kOutOfRange
// for an axis.
#ifndef SWITCHYARD_OPS_QUANTIZED_LAYERS_H_
#define SWITCHYARD_OPS_QUANTIZED_LAYERS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/transfer.h"

namespace sy {

struct IntegerRange {
  int64_t low, high;
};
// Of kQuantizedTypes.
inline IntegerRange RangeOf(DType d) {
  if (d == DType::kUInt8) return {0, 255};
  if (d == DType::kInt8) return {-128, 127};
  return {INT32_MIN, INT32_MAX};
}

inline void RequireQuantizedType(std::string_view op, DType d) {
  if (Contains(kQuantizedTypes, d)) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {"dtype must be uint8, int8 or int32 (quint8, qint8, qint32), got ", d});
}
// name: of the argument. d: of the integers.
inline void RequireZeroPoint(std::string_view op, std::string_view name, int64_t zero_point,
                             DType d) {
  const auto [low, high] = RangeOf(d);
  if (zero_point >= low && zero_point <= high) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {name, " must be ", low, " to ", high, " for ", d, ", got ", zero_point});
}

inline const Quantizer& RequireQuantized(std::string_view op, const Tensor& t,
                                         std::string_view name) {
  const Quantizer* q = FindQuantizer(t);
  if (q != nullptr) return *q;
  Fail(ErrorCode::kInvalidArgument, op, {name, " must be quantized, got ", Describe(t)});
}
// Also for one of scales along an axis.
inline const Quantizer& RequirePerTensor(std::string_view op, const Tensor& t,
                                         std::string_view name) {
  const Quantizer& q = RequireQuantized(op, t, name);
  if (!q.per_channel()) return q;
  Fail(ErrorCode::kInvalidArgument, op,
       {name, " must have one scale for all, got one for each position along axis ", q.axis});
}
// Of sums and products: one dtype, one scale for all of each.
inline void RequireAlike(std::string_view op, const Tensor& a, const Tensor& b) {
  RequirePerTensor(op, a, "qa");
  RequirePerTensor(op, b, "qb");
  if (a.dtype() == b.dtype()) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {"expected one dtype, got ", Describe(a), " and ", Describe(b)});
}
// Scales and zero points along an axis of self.
inline void RequireAlongAxis(std::string_view op, const Tensor& self, const Tensor& scales,
                             const Tensor& zero_points, int64_t axis) {
  if (axis < 0 || axis >= self.dim()) {
    Fail(ErrorCode::kOutOfRange, op,
         {"axis must be 0 to ", self.dim() - 1, " for sizes ", self.sizes(), ", got ", axis});
  }
  const int64_t n = self.sizes()[static_cast<size_t>(axis)];
  if (scales.dim() != 1 || zero_points.dim() != 1 || scales.numel() != n ||
      zero_points.numel() != n) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"scales and zero_points must be vectors of ", n, " for axis ", axis, " of ", self.sizes(),
          ", got sizes ", scales.sizes(), " and ", zero_points.sizes()});
  }
  if (!IsFloating(scales.dtype()))
    Fail(ErrorCode::kInvalidArgument, op, {"scales must be floating, got ", scales.dtype()});
}

struct LayerFactors {
  std::vector<float> steps;  // scale of input * scale of weight, of each output channel
  int64_t input_zero;
};

// channels: how many come out.
inline LayerFactors RequireFactors(std::string_view op, const Tensor& input, const Tensor& weight,
                                   const Tensor& bias, int64_t channels) {
  const Quantizer *x = FindQuantizer(input), *w = FindQuantizer(weight);
  if (x == nullptr || w == nullptr || x->per_channel() || weight.dtype() != DType::kInt8 ||
      !Contains(Mask(DType::kUInt8, DType::kInt8), input.dtype())) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"input must be quantized uint8 or int8 with one scale for all, and weight int8, got ",
          Describe(input), " and ", Describe(weight)});
  }
  if (w->per_channel() && (w->axis != 0 || w->float_zero_points())) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"weight must have its scales along axis 0 and whole zero points, got axis ", w->axis});
  }
  if (bias.defined() && (bias.dtype() != DType::kFloat32 || bias.dim() != 1 ||
                         bias.numel() != channels || !bias.is_strided())) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"bias must be float32[", channels, "], got ", Describe(bias)});
  }
  LayerFactors f{std::vector<float>(static_cast<size_t>(channels)), x->zero_point};
  const Tensor scales = ToHost(w->scales), zeros = ToHost(w->zero_points);
  for (int64_t c = 0; c < channels; ++c) {
    const int64_t zero = w->per_channel() ? zeros.at<int64_t>(c) : w->zero_point;
    if (zero != 0)
      Fail(ErrorCode::kInvalidArgument, op, {"zero points of weight must be 0, got ", zero});
    const double scale = w->per_channel() ? scales.at<double>(c) : w->scale;
    f.steps[static_cast<size_t>(c)] = static_cast<float>(scale) * static_cast<float>(x->scale);
  }
  return f;
}

// A number for each channel, 0 without a bias. bias: on the host, as RequireFactors takes it.
inline std::vector<float> BiasOf(const Tensor& bias, int64_t channels) {
  std::vector<float> all(static_cast<size_t>(channels));
  for (int64_t c = 0; bias.defined() && c < channels; ++c)
    all[static_cast<size_t>(c)] = bias.at<float>(c);
  return all;
}

struct QuantizationParameters {
  double scale;
  int64_t zero_point;
};
// Those by which integers from low to high stand for numbers from least to most, and for 0.
// Source: ChooseQuantizationParams in ATen/native/quantized/cpu/QuantUtils.h.
inline QuantizationParameters ParametersFor(float least, float most, int64_t low, int64_t high) {
  least = std::min(least, 0.0f);
  most = std::max(most, 0.0f);
  const auto steps = static_cast<double>(high - low);
  double scale = (static_cast<double>(most) - least) / steps;
  if (static_cast<float>(scale) == 0.0f || std::isinf(1.0f / static_cast<float>(scale)))
    scale = 0.1;
  constexpr float kSmallest = 6.1e-5f;
  if (scale < kSmallest) {
    const auto before = static_cast<float>(scale);
    scale = kSmallest;
    if (least == 0.0f) {
      most = static_cast<float>(kSmallest * steps);
    } else if (most == 0.0f) {
      least = static_cast<float>(-kSmallest * steps);
    } else {
      const float amplifier = kSmallest / before;
      least *= amplifier;
      most *= amplifier;
    }
  }
  const double from_least = static_cast<double>(low) - least / scale,
               from_most = static_cast<double>(high) - most / scale;
  const double error_of_least = std::abs(static_cast<double>(low)) + std::abs(least / scale),
               error_of_most = std::abs(static_cast<double>(high)) + std::abs(most / scale);
  const double zero = error_of_least < error_of_most ? from_least : from_most;
  const double nearest = std::nearbyint(std::clamp(
      std::isnan(zero) ? 0.0 : zero, static_cast<double>(low), static_cast<double>(high)));
  return {scale, static_cast<int64_t>(nearest)};
}

// input: [n, channels, ..] or [channels, ..]; weight: [out, channels / groups, ..], of dims
// dimensions each behind the channels.
inline void RequireRanks(std::string_view op, const Tensor& input, const Tensor& weight,
                         int64_t dims) {
  if (weight.dim() == dims + 2 && (input.dim() == dims + 2 || input.dim() == dims + 1)) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {"expected input and weight of ", dims + 2, " dimensions, got sizes ", input.sizes(),
        " and ", weight.sizes()});
}
// input: [.., k]; weight: [n, k].
inline void RequireLinear(std::string_view op, const Tensor& input, const Tensor& weight) {
  if (weight.dim() == 2 && input.dim() >= 1 && input.size(-1) == weight.sizes()[1]) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {"expected input [.., k] and weight [n, k], got sizes ", input.sizes(), " and ",
        weight.sizes()});
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_QUANTIZED_LAYERS_H_
