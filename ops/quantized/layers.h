// What layers ask of quantised input, weight and bias, on every device.
//
//   const LayerFactors f = RequireFactors(call.op(), input, weight, bias, weight.sizes()[0]);
//   // number = (sum of (input - f.input_zero) * weight) * f.steps[channel] + bias[channel]
//
// Owns: a step for each output channel.
// Threads: any.
// Errors: kInvalidArgument for tensors that are not quantised as layers take them.
#ifndef SWITCHYARD_OPS_QUANTIZED_LAYERS_H_
#define SWITCHYARD_OPS_QUANTIZED_LAYERS_H_

#include <string_view>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/transfer.h"

namespace sy {

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

// input: [.., k]; weight: [n, k].
inline void RequireLinear(std::string_view op, const Tensor& input, const Tensor& weight) {
  if (weight.dim() == 2 && input.dim() >= 1 && input.size(-1) == weight.sizes()[1]) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {"expected input [.., k] and weight [n, k], got sizes ", input.sizes(), " and ",
        weight.sizes()});
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_QUANTIZED_LAYERS_H_
