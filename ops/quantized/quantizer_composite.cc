// What quantised tensors say of themselves, and the numbers they stand for.
#include "ops/checks.h"
#include "ops/quantized/held_composite.h"
#include "switchyard/ops/quantized/qscheme.h"

namespace sy {
namespace {

const Quantizer& RequirePerChannel(Call call, const Tensor& t) {
  const Quantizer& q = RequireQuantized(call.op(), t, "self");
  if (q.per_channel()) return q;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"self must have a scale for each position along an axis, got one for all"});
}

double Scale(Call call, const Tensor& self) {
  return RequirePerTensor(call.op(), self, "self").scale;
}
int64_t ZeroPoint(Call call, const Tensor& self) {
  return RequirePerTensor(call.op(), self, "self").zero_point;
}
Tensor Scales(Call call, const Tensor& self) { return RequirePerChannel(call, self).scales; }
Tensor ZeroPoints(Call call, const Tensor& self) {
  return RequirePerChannel(call, self).zero_points;
}
int64_t Scheme(Call call, const Tensor& self) {
  const Quantizer& q = RequireQuantized(call.op(), self, "self");
  if (!q.per_channel()) return kPerTensorAffine;
  return q.float_zero_points() ? kPerChannelAffineFloatQParams : kPerChannelAffine;
}
int64_t Axis(Call call, const Tensor& self) { return RequirePerChannel(call, self).axis; }
Tensor Integers(Call call, const Tensor& self) {
  RequireQuantized(call.op(), self, "self");
  return clone(IntegersOf(self));
}
Tensor Numbers(Call, const Tensor& self) { return NumbersOf(self); }
std::vector<Tensor> NumbersOfAll(Call call, TensorList tensors) {
  std::vector<Tensor> all;
  Reserve(call, all, static_cast<int64_t>(tensors.size()));
  for (const Tensor& t : tensors) all.push_back(dequantize(t));
  return all;
}

// Of other tensors: errors of their own.
#define SY_BODY(id, name, function)          \
  const Composite id##_body{name, function}; \
  const LayoutBody id##_quantized{name, kQuantized};
SY_BODY(scale, "q_scale", Scale)
SY_BODY(zero_point, "q_zero_point", ZeroPoint)
SY_BODY(scales, "q_per_channel_scales", Scales)
SY_BODY(zero_points, "q_per_channel_zero_points", ZeroPoints)
SY_BODY(axis, "q_per_channel_axis", Axis)
SY_BODY(scheme, "qscheme", Scheme)
SY_BODY(integers, "int_repr", Integers)
SY_BODY(numbers_of_all, "dequantize.tensors", NumbersOfAll)
#undef SY_BODY
const LayoutKernel numbers_quantized{"dequantize.self", kQuantized, Numbers};

// What metadata alone answers.
const LayoutBody is_complex_quantized{"is_complex", kQuantized};
const LayoutBody is_conj_quantized{"is_conj", kQuantized};
const LayoutBody is_neg_quantized{"is_neg", kQuantized};
const LayoutBody is_same_size_quantized{"is_same_size", kQuantized};
const LayoutBody size_quantized{"size.int", kQuantized};
const LayoutBody stride_quantized{"stride.int", kQuantized};
bool IsFloatingPoint(Call, const Tensor&) { return false; }
const LayoutKernel is_floating_point_quantized{"is_floating_point", kQuantized, IsFloatingPoint};

}  // namespace
}  // namespace sy
