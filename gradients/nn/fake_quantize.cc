// Gradients of what quantising would leave: they pass rounding as if it were not there, and none
// passes where an element was limited. Steps and zero points have none, as in PyTorch.
// Source: Y. Bengio and others, "Estimating or Propagating Gradients Through Stochastic Neurons for
// Conditional Computation", 2013 (the straight-through estimator).
#include <cstdint>
#include <tuple>

#include "switchyard/autograd/gradient.h"
#include "switchyard/gradients/refused.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor PerTensorSelf(const Grad& g, Output<1> mask, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved) {
  return fake_quantize_per_tensor_affine_cachemask_backward(g.or_zeros(0), mask);
}
const Gradient per_tensor_grad{"fake_quantize_per_tensor_affine_cachemask",
                               For("self", PerTensorSelf)};
Tensor PerTensor(const Tensor& self, double scale, int64_t zero_point, int64_t low, int64_t high) {
  return std::get<0>(fake_quantize_per_tensor_affine_cachemask(self, scale, zero_point, low, high));
}
const Decomposition per_tensor_parts{"fake_quantize_per_tensor_affine", PerTensor};

// There is no operator that gives a mask too: as ops/nn/fake_quantize_composite.cc makes one.
Tensor OfTensorsSelf(const Grad& g, const Tensor& self, const Tensor& scale,
                     const Tensor& zero_point, int64_t low, int64_t high) {
  const DType wide = self.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  const Tensor step = to(reshape(scale, IntSpan()), DType::kFloat32),
               zero = to(to(reshape(zero_point, IntSpan()), DType::kInt64), DType::kFloat32);
  const Tensor q = add(round(mul(to(self, wide), reciprocal(step))), zero);
  return mul(g, logical_and(ge(q, low), le(q, high)));
}
Tensor OfTensorsScale(const Grad&, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved) {
  return Refused("fake_quantize_per_tensor_affine", "scale");
}
const Gradient of_tensors_grad{"fake_quantize_per_tensor_affine.tensor_qparams",
                               For("self", OfTensorsSelf), For("scale", OfTensorsScale)};

Tensor PerChannelSelf(const Grad& g, Output<1> mask, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved,
                      Unsaved) {
  return fake_quantize_per_channel_affine_cachemask_backward(g.or_zeros(0), mask);
}
Tensor PerChannelScale(const Grad&, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved) {
  return Refused("fake_quantize_per_channel_affine", "scale");
}
const Gradient per_channel_grad{"fake_quantize_per_channel_affine_cachemask",
                                For("self", PerChannelSelf), For("scale", PerChannelScale)};
Tensor PerChannel(const Tensor& self, const Tensor& scale, const Tensor& zero_point, int64_t axis,
                  int64_t low, int64_t high) {
  return std::get<0>(
      fake_quantize_per_channel_affine_cachemask(self, scale, zero_point, axis, low, high));
}
const Decomposition per_channel_parts{"fake_quantize_per_channel_affine", PerChannel};

}  // namespace
}  // namespace sy
