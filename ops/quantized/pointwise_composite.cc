// Functions of quantised tensors: of the integers where these decide, else of the numbers.
#include <algorithm>
#include <deque>
#include <optional>

#include "ops/quantized/held_composite.h"
#include "switchyard/dispatcher/call.h"

namespace sy {
namespace {

// Of the integers, quantised as self.
Tensor Relu(Call call, const Tensor& self) {
  const Quantizer& q = RequirePerTensor(call.op(), self, "self");
  return MakeQuantized(clamp_min(IntegersOf(self), q.zero_point), q);
}
int64_t IntegerFor(const Quantizer& q, double number, DType dtype) {
  const auto [low, high] = RangeOf(dtype);
  const double steps = std::nearbyint(number * (1.0f / static_cast<float>(q.scale)));
  return static_cast<int64_t>(std::clamp(steps + static_cast<double>(q.zero_point),
                                         static_cast<double>(low), static_cast<double>(high)));
}
Tensor Clamp(Call call, const Tensor& self, const std::optional<Scalar>& least,
             const std::optional<Scalar>& most) {
  const Quantizer& q = RequirePerTensor(call.op(), self, "self");
  if (!least && !most)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected min or max, got neither"});
  const auto bound = [&](const std::optional<Scalar>& x) -> std::optional<Scalar> {
    if (!x) return std::nullopt;
    return IntegerFor(q, x->To<double>(), self.dtype());
  };
  return MakeQuantized(clamp(IntegersOf(self), bound(least), bound(most)), q);
}
Tensor Max(Call call, const Tensor& self) {
  return MakeQuantized(max(IntegersOf(self)), RequirePerTensor(call.op(), self, "self"));
}
Tensor Min(Call call, const Tensor& self) {
  return MakeQuantized(min(IntegersOf(self)), RequirePerTensor(call.op(), self, "self"));
}

// Results lie between known bounds: scale and zero point are PyTorch's.
Tensor Sigmoid(Call call, const Tensor& self) {
  RequirePerTensor(call.op(), self, "self");
  const double scale = self.dtype() == DType::kInt32 ? 1.0 / 4294967296.0 : 1.0 / 256.0;
  const int64_t zero = self.dtype() == DType::kInt8 ? -128 : 0;
  return quantize_per_tensor(sigmoid(dequantize(self)), scale, zero, self.dtype());
}
Tensor Tanh(Call call, const Tensor& self) {
  RequirePerTensor(call.op(), self, "self");
  const double scale = self.dtype() == DType::kInt32 ? 2.0 / 4294967296.0 : 2.0 / 256.0;
  const int64_t zero = self.dtype() == DType::kUInt8 ? 128 : 0;
  return quantize_per_tensor(tanh(dequantize(self)), scale, zero, self.dtype());
}

// Of the numbers: results are not quantised.
void OfNumbers(const OperatorEntry& op, std::span<const Value> args, std::span<Result> results) {
  std::deque<Tensor> numbers;  // Values point into these
  std::vector<Value> given(args.begin(), args.end());
  for (Value& v : given) {
    if (v.tag == Tag::kTensor && v.tensor().is_quantized())
      v = Value(numbers.emplace_back(dequantize(v.tensor())));
  }
  CallBoxed(op, given, results);
}
bool Equal(Call, const Tensor& self, const Tensor& other) {
  const Quantizer *a = FindQuantizer(self), *b = FindQuantizer(other);
  if (a == nullptr || b == nullptr || a->scheme() != b->scheme() || self.dtype() != other.dtype()) {
    return false;
  }
  const bool same = a->per_channel() ? a->axis == b->axis && equal(a->scales, b->scales) &&
                                           equal(a->zero_points, b->zero_points)
                                     : a->scale == b->scale && a->zero_point == b->zero_point;
  return same && equal(IntegersOf(self), IntegersOf(other));
}

const LayoutKernel relu_kernel{"relu", kQuantized, Relu};
const LayoutKernel clamp_kernel{"clamp", kQuantized, Clamp};
const LayoutKernel max_kernel{"max", kQuantized, Max};
const LayoutKernel min_kernel{"min", kQuantized, Min};
const LayoutKernel sigmoid_kernel{"sigmoid", kQuantized, Sigmoid};
const LayoutKernel tanh_kernel{"tanh", kQuantized, Tanh};
const LayoutKernel item_kernel{"item", kQuantized, OfNumbers};
const LayoutKernel equal_kernel{"equal", kQuantized, Equal};
#define SY_COMPARES(name)                                                          \
  const LayoutKernel name##_tensor_kernel{#name ".Tensor", kQuantized, OfNumbers}; \
  const LayoutKernel name##_scalar_kernel{#name ".Scalar", kQuantized, OfNumbers};
SY_COMPARES(eq)
SY_COMPARES(ne)
SY_COMPARES(lt)
SY_COMPARES(le)
SY_COMPARES(gt)
SY_COMPARES(ge)
#undef SY_COMPARES

}  // namespace
}  // namespace sy
