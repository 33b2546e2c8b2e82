// Integers for numbers, by given or by found scales.
#include <algorithm>
#include <cmath>

#include "ops/checks.h"
#include "ops/quantized/held_composite.h"
#include "switchyard/core/transfer.h"

namespace sy {
namespace {

Tensor PerTensor(Call call, const Tensor& self, double scale, int64_t zero_point, DType dtype) {
  RequireQuantizedType(call.op(), dtype);
  if (self.dtype() != DType::kFloat32)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected float32, got ", Describe(self)});
  RequireZeroPoint(call.op(), "zero_point", zero_point, dtype);
  const float inverse = 1.0f / static_cast<float>(scale);
  const Tensor steps = mul(self, static_cast<double>(inverse));
  const Tensor zero = scalar_tensor(zero_point, DType::kFloat64, std::nullopt, self.device());
  return MakeQuantized(IntegersFor(steps, zero, dtype), Quantizer(scale, zero_point));
}
Tensor PerTensorOf(Call, const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                   DType dtype) {
  return quantize_per_tensor(self, ReadNumber(scale).To<double>(),
                             ReadNumber(zero_point).To<int64_t>(), dtype);
}
std::vector<Tensor> PerTensors(Call call, TensorList tensors, const Tensor& scales,
                               const Tensor& zero_points, DType dtype) {
  const auto n = static_cast<int64_t>(tensors.size());
  if (scales.dim() != 1 || zero_points.dim() != 1 || scales.numel() != n ||
      zero_points.numel() != n) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"scales and zero_points must have one number for each of ", n, " tensors, got sizes ",
          scales.sizes(), " and ", zero_points.sizes()});
  }
  std::vector<Tensor> all;
  Reserve(call, all, n);
  for (int64_t i = 0; i < n; ++i) {
    all.push_back(PerTensorOf(call, tensors[static_cast<size_t>(i)], select(scales, 0, i),
                              select(zero_points, 0, i), dtype));
  }
  return all;
}

Tensor Dynamic(Call call, const Tensor& self, DType dtype, bool reduce_range) {
  if (dtype != DType::kUInt8 && dtype != DType::kInt8) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"dtype must be uint8 or int8 (quint8, qint8), got ", dtype});
  }
  if (self.dtype() != DType::kFloat32 || self.numel() == 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected float32 with at least one element, got ", Describe(self)});
  }
  auto [low, high] = RangeOf(dtype);
  if (reduce_range) {
    low /= 2;
    high /= 2;
  }
  const QuantizationParameters by =
      ParametersFor(min(self).item<float>(), max(self).item<float>(), low, high);
  return quantize_per_tensor(self, by.scale, by.zero_point, dtype);
}

Quantizer AlongAxisOf(Call call, const Tensor& self, const Tensor& scales,
                      const Tensor& zero_points, int64_t axis) {
  RequireAlongAxis(call.op(), self, scales, zero_points, axis);
  const bool real = IsFloating(zero_points.dtype());
  const Device where = self.device();
  return {contiguous(to(scales, where, real ? DType::kFloat32 : DType::kFloat64)),
          contiguous(to(zero_points, where, real ? DType::kFloat32 : DType::kInt64)), axis};
}

Tensor PerChannel(Call call, const Tensor& self, const Tensor& scales, const Tensor& zero_points,
                  int64_t axis, DType dtype) {
  RequireQuantizedType(call.op(), dtype);
  if (self.dtype() != DType::kFloat32)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected float32, got ", Describe(self)});
  const Quantizer by = AlongAxisOf(call, self, scales, zero_points, axis);
  const auto [low, high] = RangeOf(dtype);
  if (!by.float_zero_points() && HasData(self) && by.zero_points.numel() != 0 &&
      (min(by.zero_points).item<int64_t>() < low || max(by.zero_points).item<int64_t>() > high)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"zero_points must be ", low, " to ", high, " for ", dtype});
  }
  const Tensor inverse = reciprocal(to(by.scales, DType::kFloat32));
  const Tensor steps = mul(self, AlongAxis(inverse, self, axis));
  const Tensor zeros_along = AlongAxis(by.zero_points, self, axis);
  if (by.float_zero_points()) {
    // These are added before rounding.
    const Tensor moved = add(steps, zeros_along);
    const Tensor none = zeros_like(by.zero_points, DType::kFloat32);
    return MakeQuantized(IntegersFor(moved, AlongAxis(none, self, axis), dtype), by);
  }
  return MakeQuantized(IntegersFor(steps, zeros_along, dtype), by);
}

// --- Of integers that are given.

Tensor MakePerTensor(Call call, const Tensor& self, double scale, int64_t zero_point) {
  RequireQuantizedType(call.op(), self.dtype());
  return MakeQuantized(clone(self), Quantizer(scale, zero_point));
}
Tensor MakePerChannel(Call call, const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                      int64_t axis) {
  RequireQuantizedType(call.op(), self.dtype());
  return MakeQuantized(clone(self), AlongAxisOf(call, self, scale, zero_point, axis));
}
Tensor EmptyIntegers(Call call, IntSpan size, Optional<DType> dtype, Optional<Layout> layout,
                     Optional<Device> device, Optional<bool> pin_memory,
                     Optional<MemoryFormat> format) {
  RequireQuantizedType(call.op(), dtype.value_or(DType::kFloat32));
  return empty(size, dtype, layout, device, pin_memory, format);
}
Tensor EmptyPerTensor(Call call, IntSpan size, Optional<DType> dtype, Optional<Layout> layout,
                      Optional<Device> device, Optional<bool> pin_memory, double scale,
                      int64_t zero_point, Optional<MemoryFormat> format) {
  return MakeQuantized(EmptyIntegers(call, size, dtype, layout, device, pin_memory, format),
                       Quantizer(scale, zero_point));
}
Tensor EmptyPerChannel(Call call, IntSpan size, const Tensor& scales, const Tensor& zero_points,
                       int64_t axis, Optional<DType> dtype, Optional<Layout> layout,
                       Optional<Device> device, Optional<bool> pin_memory,
                       Optional<MemoryFormat> format) {
  const Tensor t = EmptyIntegers(call, size, dtype, layout, device, pin_memory, format);
  return MakeQuantized(t, AlongAxisOf(call, t, scales, zero_points, axis));
}

const Composite per_tensor{"quantize_per_tensor", PerTensor};
const Composite per_tensor_of{"quantize_per_tensor.tensor_qparams", PerTensorOf};
const Composite per_tensors{"quantize_per_tensor.tensors", PerTensors};
const Composite dynamic{"quantize_per_tensor_dynamic", Dynamic};
const Composite per_channel{"quantize_per_channel", PerChannel};
const Composite make_per_tensor{"_make_per_tensor_quantized_tensor", MakePerTensor};
const Composite make_per_channel{"_make_per_channel_quantized_tensor", MakePerChannel};
const Composite empty_per_tensor{"_empty_affine_quantized", EmptyPerTensor};
const Composite empty_per_channel{"_empty_per_channel_affine_quantized", EmptyPerChannel};

}  // namespace
}  // namespace sy
