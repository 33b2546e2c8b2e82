// fake_quantize by round and clamp, 16-bit floats in float32.

#include <tuple>
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Both = std::tuple<Tensor, Tensor>;

void RequireElementsAndRange(Call call, const Tensor& self, int64_t low, int64_t high) {
  if (!Contains(kFloatingTypes, self.dtype())) {
    Fail(ErrorCode::kNotImplemented, call.op(), {"self must be floating, got ", self.dtype()});
  }
  if (low > high) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"quant_min must not be above quant_max, got ", low, " and ", high});
  }
}
void RequireZeroPoint(Call call, int64_t zero_point, int64_t low, int64_t high) {
  if (zero_point >= low && zero_point <= high) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"zero_point must be from quant_min ", low, " to quant_max ", high, ", got ", zero_point});
}

// scale, zero_point: broadcast with self. Source: ATen's kernels, in which an element that is NaN
// is limited to quant_min, and a zero_point that is not an integer is added before rounding.
// mask: null where it is not asked for.
Tensor Quantized(const Tensor& self, const Tensor& scale, const Tensor& zero_point, int64_t low,
                 int64_t high, Tensor* mask) {
  const DType wide = self.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  const Tensor step = to(scale, DType::kFloat32), zero = to(zero_point, DType::kFloat32);
  const Tensor q = mul(to(self, wide), reciprocal(step));
  if (IsIntegral(zero_point.dtype(), false)) {
    add_(round_(q), zero);
  } else {
    round_(add_(q, zero));
  }
  if (mask != nullptr) *mask = logical_and(ge(q, low), le(q, high));
  const auto lowest = static_cast<double>(low), highest = static_cast<double>(high);
  clamp_(nan_to_num_(q, lowest, highest, lowest), low, high);
  return to(mul_(sub_(q, zero), step), self.dtype());
}

Tensor OfTensor(Call call, const Tensor& self, double scale, int64_t zero_point, int64_t low,
                int64_t high, Tensor* mask) {
  RequireElementsAndRange(call, self, low, high);
  RequireZeroPoint(call, zero_point, low, high);
  const Device device = self.device();
  return Quantized(self, full({}, scale, DType::kFloat32, std::nullopt, device),
                   full({}, zero_point, DType::kInt64, std::nullopt, device), low, high, mask);
}
Both PerTensorBoth(Call call, const Tensor& self, double scale, int64_t zero_point, int64_t low,
                   int64_t high) {
  Tensor mask;
  const Tensor out = OfTensor(call, self, scale, zero_point, low, high, &mask);
  return {out, mask};
}
Tensor PerTensor(Call call, const Tensor& self, double scale, int64_t zero_point, int64_t low,
                 int64_t high) {
  return OfTensor(call, self, scale, zero_point, low, high, nullptr);
}
Tensor PerTensorOfTensors(Call call, const Tensor& self, const Tensor& scale,
                          const Tensor& zero_point, int64_t low, int64_t high) {
  RequireElementsAndRange(call, self, low, high);
  if (scale.numel() != 1 || zero_point.numel() != 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"scale and zero_point must have one element, got sizes ", scale.sizes(), " and ",
          zero_point.sizes()});
  }
  const Tensor zero = to(reshape(zero_point, IntSpan()), DType::kInt64);
  return Quantized(self, reshape(scale, IntSpan()), zero, low, high, nullptr);
}

void RequireChannels(Call call, const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                     int64_t axis) {
  if (scale.dtype() != DType::kFloat32 && scale.dtype() != DType::kBFloat16) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"scale must be float32 or bfloat16, got ", scale.dtype()});
  }
  if (!Contains(Mask(DType::kInt32, DType::kFloat32, DType::kFloat16), zero_point.dtype())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"zero_point must be int32, float32 or float16, got ", zero_point.dtype()});
  }
  if (axis < 0 || axis >= self.dim()) {
    Fail(ErrorCode::kOutOfRange, call.op(),
         {"axis must be a dimension of sizes ", self.sizes(), " and not negative, got ", axis});
  }
  const int64_t n = self.size(axis);
  if (scale.dim() == 1 && zero_point.dim() == 1 && scale.numel() == n && zero_point.numel() == n)
    return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"scale and zero_point must have sizes [", n, "], got ", scale.sizes(), " and ",
        zero_point.sizes()});
}
void RequireZeroPoints(Call call, const Tensor& zero_point, int64_t low, int64_t high) {
  if (zero_point.dtype() != DType::kInt32 || zero_point.numel() == 0 || !zero_point.is_host())
    return;
  const Tensor fits = logical_and(ge(zero_point, low), le(zero_point, high));
  if (item(all(fits)).To<bool>()) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"zero_point must be from quant_min ", low, " to quant_max ", high, " everywhere"});
}
Tensor OfChannels(Call call, const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                  int64_t axis, int64_t low, int64_t high, Tensor* mask) {
  RequireElementsAndRange(call, self, low, high);
  RequireChannels(call, self, scale, zero_point, axis);
  RequireZeroPoints(call, zero_point, low, high);
  std::vector<int64_t> sizes(static_cast<size_t>(self.dim()), 1);
  sizes[static_cast<size_t>(axis)] = self.size(axis);
  return Quantized(self, reshape(scale, sizes), reshape(zero_point, sizes), low, high, mask);
}
Both PerChannelBoth(Call call, const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                    int64_t axis, int64_t low, int64_t high) {
  Tensor mask;
  const Tensor out = OfChannels(call, self, scale, zero_point, axis, low, high, &mask);
  return {out, mask};
}
Tensor PerChannel(Call call, const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                  int64_t axis, int64_t low, int64_t high) {
  return OfChannels(call, self, scale, zero_point, axis, low, high, nullptr);
}
Tensor Backward(Call call, const Tensor& grad, const Tensor& mask) {
  if (mask.dtype() != DType::kBool)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"mask must be bool, got ", mask.dtype()});
  if (mask.numel() != grad.numel()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"mask must have as many elements as grad, got sizes ", mask.sizes(), " and ",
          grad.sizes()});
  }
  return grad.numel() == 0 ? grad : mul(grad, mask);
}
const Composite per_tensor_body{"fake_quantize_per_tensor_affine", PerTensor};
const Composite per_tensor_of_tensors_body{"fake_quantize_per_tensor_affine.tensor_qparams",
                                           PerTensorOfTensors};
const Composite per_tensor_both_body{"fake_quantize_per_tensor_affine_cachemask", PerTensorBoth};
const Composite per_tensor_backward_body{"fake_quantize_per_tensor_affine_cachemask_backward",
                                         Backward};
const Composite per_channel_body{"fake_quantize_per_channel_affine", PerChannel};
const Composite per_channel_both_body{"fake_quantize_per_channel_affine_cachemask", PerChannelBoth};
const Composite per_channel_backward_body{"fake_quantize_per_channel_affine_cachemask_backward",
                                          Backward};

}  // namespace
}  // namespace sy
