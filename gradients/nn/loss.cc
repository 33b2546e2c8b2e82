// Gradients of losses, of embeddings and dropout.
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/shape.h"
#include "switchyard/gradients/refused.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// A tensor of the sizes that it and the other broadcast to: a mean is over those elements, and the
// backward operators divide by their first tensor's. ATen's do that to tensors that broadcast, and
// PyTorch's functions expand them first.
Tensor Whole(const Tensor& t, const Tensor& other) {
  return SameSizes(t.sizes(), other.sizes()) ? t : broadcast_tensors({t, other})[0];
}

Tensor MseSelf(const Grad& g, const Tensor& self, const Tensor& target, int64_t reduction) {
  return mse_loss_backward(g, Whole(self, target), target, reduction);
}
Tensor MseTarget(const Grad& g, const Tensor& self, const Tensor& target, int64_t reduction) {
  return mse_loss_backward(g, Whole(target, self), self, reduction);
}
const Gradient mse_grad{"mse_loss", For("self", MseSelf), For("target", MseTarget)};
// smooth_l1_loss and huber_loss have a number, beta or delta; either side is the other's mirror.
template <auto kBackward>
Tensor LossSelf(const Grad& g, const Tensor& self, const Tensor& target, int64_t reduction,
                double number) {
  return kBackward(g, Whole(self, target), target, reduction, number);
}
template <auto kBackward>
Tensor LossTarget(const Grad& g, const Tensor& self, const Tensor& target, int64_t reduction,
                  double number) {
  return kBackward(g, Whole(target, self), self, reduction, number);
}
// A mean passes to each element its part.
constexpr int64_t kMean = 1;
Tensor PerElement(const Tensor& g, const Tensor& self, int64_t reduction) {
  return reduction == kMean ? div(g, self.numel()) : g;
}
Tensor SmoothL1Backward(const Tensor& g, const Tensor& self, const Tensor& target,
                        int64_t reduction, double beta) {
  // As l1_loss, whose slope is 0 between the two.
  if (beta == 0) return PerElement(mul(g, sgn(sub(self, target))), self, reduction);
  return smooth_l1_loss_backward(g, self, target, reduction, beta);
}
Tensor HuberBackward(const Tensor& g, const Tensor& self, const Tensor& target, int64_t reduction,
                     double delta) {
  return huber_loss_backward(g, self, target, reduction, delta);
}
const Gradient smooth_l1_grad{"smooth_l1_loss", For("self", LossSelf<SmoothL1Backward>),
                              For("target", LossTarget<SmoothL1Backward>)};
const Gradient huber_grad{"huber_loss", For("self", LossSelf<HuberBackward>),
                          For("target", LossTarget<HuberBackward>)};
Tensor BceSelf(const Grad& g, const Tensor& self, const Tensor& target, const Tensor& weight,
               int64_t reduction) {
  return binary_cross_entropy_backward(g, self, target, weight, reduction);
}
// log(1 - x) - log(x)
Tensor BceTarget(const Grad& g, const Tensor& self, Unsaved, const Tensor& weight,
                 int64_t reduction) {
  const Tensor slope = mul(PerElement(g, self, reduction), sub(log(rsub(self, 1)), log(self)));
  return weight.defined() ? mul(slope, weight) : slope;
}
// Weights of elements and of classes are not differentiated, as in PyTorch. That one requires a
// gradient is said instead of passed over.
Tensor BceWeight(const Grad&, Unsaved, Unsaved, Unsaved, Unsaved) {
  return Refused("binary_cross_entropy", "weight");
}
Tensor NllWeight(const Grad&, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved) {
  return Refused("nll_loss", "weight");
}
Tensor MultiMarginWeight(const Grad&, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved) {
  return Refused("multi_margin_loss", "weight");
}

const Gradient bce_grad{"binary_cross_entropy", For("self", BceSelf), For("target", BceTarget),
                        For("weight", BceWeight)};

void RequireLoss(const Tensor& grad, const Tensor& self, const Tensor& target, int64_t reduction) {
  RequireFit(reduction >= 0 && reduction <= 2);
  RequireFit(!IsComplex(grad.dtype()) && !IsComplex(self.dtype()) && !IsComplex(target.dtype()));
}

// Of these the backward operators are made of simpler ones where they are recorded.
Tensor SmoothL1Parts(const Tensor& grad, const Tensor& self, const Tensor& target,
                     int64_t reduction, double beta) {
  RequireLoss(grad, self, target, reduction);
  RequireFit(beta >= 0);
  const Tensor x = sub(self, target);
  const Tensor slope = beta == 0 ? sgn(x) : where(lt(abs(x), beta), div(x, beta), sgn(x));
  return PerElement(mul(grad, slope), x, reduction);
}
const Decomposition smooth_l1_parts{"smooth_l1_loss_backward", SmoothL1Parts};
Tensor HuberParts(const Tensor& grad, const Tensor& self, const Tensor& target, int64_t reduction,
                  double delta) {
  RequireLoss(grad, self, target, reduction);
  RequireFit(delta > 0);
  const Tensor x = sub(self, target);
  return PerElement(mul(grad, where(le(abs(x), delta), x, mul(sgn(x), delta))), x, reduction);
}
const Decomposition huber_parts{"huber_loss_backward", HuberParts};
// log(1 + exp(-t x)) has the slope -t / (1 + exp(t x)).
Tensor SoftMarginParts(const Tensor& grad, const Tensor& self, const Tensor& target,
                       int64_t reduction) {
  RequireLoss(grad, self, target, reduction);
  const Tensor slope = mul(neg(target), sigmoid(mul(neg(target), self)));
  return PerElement(mul(grad, slope), self, reduction);
}
const Decomposition soft_margin_parts{"soft_margin_loss_backward", SoftMarginParts};
// (x - t) / (x (1 - x)), whose divisor ATen keeps from 0.
Tensor BceParts(const Tensor& grad, const Tensor& self, const Tensor& target, const Tensor& weight,
                int64_t reduction) {
  RequireLoss(grad, self, target, reduction);
  RequireFit(SameSizes(self.sizes(), target.sizes()));
  const Tensor below = clamp_min(mul(rsub(self, 1), self), 1e-12);
  const Tensor slope = mul(grad, div(sub(self, target), below));
  return PerElement(weight.defined() ? mul(slope, weight) : slope, self, reduction);
}
const Decomposition bce_parts{"binary_cross_entropy_backward", BceParts};

// Second derivatives: each is linear in the gradient that it is given.
Tensor MseBackwardGrad(const Grad& g, Unsaved, const Tensor& self, const Tensor& target,
                       int64_t reduction) {
  const Tensor slope = PerElement(mul(mul(sub(self, target), 2), g), self, reduction);
  return reduction == 0 ? slope : sum(slope);
}
Tensor MseBackwardSelf(const Grad& g, const Tensor& grad, const Tensor& self, Unsaved,
                       int64_t reduction) {
  return PerElement(mul(mul(g, grad), 2), self, reduction);
}
Tensor MseBackwardTarget(const Grad& g, const Tensor& grad, const Tensor& self, Unsaved,
                         int64_t reduction) {
  return PerElement(mul(mul(g, grad), -2), self, reduction);
}
const Gradient mse_backward_grad{"mse_loss_backward", For("grad_output", MseBackwardGrad),
                                 For("self", MseBackwardSelf), For("target", MseBackwardTarget)};

Tensor NllSelf(const Grad& g, Output<1> total_weight, const Tensor& self, const Tensor& target,
               const Tensor& weight, int64_t reduction, int64_t ignore_index) {
  return nll_loss_backward(g, self, target, weight, reduction, ignore_index, total_weight);
}
const Gradient nll_grad{"nll_loss_forward", Constant({1}), For("self", NllSelf),
                        For("weight", NllWeight)};
Tensor Nll2dSelf(const Grad& g, Output<1> total_weight, const Tensor& self, const Tensor& target,
                 const Tensor& weight, int64_t reduction, int64_t ignore_index) {
  return nll_loss2d_backward(g, self, target, weight, reduction, ignore_index, total_weight);
}
const Gradient nll2d_grad{"nll_loss2d_forward", Constant({1}), For("self", Nll2dSelf),
                          For("weight", NllWeight)};
Tensor NllBackwardGrad(const Grad& g, Unsaved, Unsaved, const Tensor& target, const Tensor& weight,
                       int64_t reduction, int64_t ignore_index, Unsaved) {
  return std::get<0>(nll_loss_forward(g, target, weight, reduction, ignore_index));
}
const Gradient nll_backward_grad{"nll_loss_backward", For("grad_output", NllBackwardGrad)};
Tensor Nll2dBackwardGrad(const Grad& g, Unsaved, Unsaved, const Tensor& target,
                         const Tensor& weight, int64_t reduction, int64_t ignore_index, Unsaved) {
  return std::get<0>(nll_loss2d_forward(g, target, weight, reduction, ignore_index));
}
const Gradient nll2d_backward_grad{"nll_loss2d_backward", For("grad_output", Nll2dBackwardGrad)};

Tensor MultiMarginSelf(const Grad& g, const Tensor& self, const Tensor& target, const Scalar& p,
                       const Scalar& margin, const Tensor& weight, int64_t reduction) {
  return multi_margin_loss_backward(g, self, target, p, margin, weight, reduction);
}
const Gradient multi_margin_grad{"multi_margin_loss", For("self", MultiMarginSelf),
                                 For("weight", MultiMarginWeight)};
Tensor MultilabelSelf(const Grad& g, Output<1> is_target, const Tensor& self, const Tensor& target,
                      int64_t reduction) {
  return multilabel_margin_loss_backward(g, self, target, reduction, is_target);
}
const Gradient multilabel_grad{"multilabel_margin_loss_forward", Constant({1}),
                               For("self", MultilabelSelf)};
Tensor Multilabel(const Tensor& self, const Tensor& target, int64_t reduction) {
  return std::get<0>(multilabel_margin_loss_forward(self, target, reduction));
}
const Decomposition multilabel_parts{"multilabel_margin_loss", Multilabel};

Tensor EmbeddingWeight(const Grad& g, Like weight, const Tensor& indices, int64_t padding_idx,
                       bool scale_grad_by_freq, Unsaved) {
  return embedding_dense_backward(g, indices, weight.size(0), padding_idx, scale_grad_by_freq);
}
const Gradient embedding_grad{"embedding", For("weight", EmbeddingWeight)};
// Each index reads its row, shared among equal ones where they share; padding had none.
Tensor EmbeddingBackwardGrad(const Grad& g, Unsaved, const Tensor& indices, int64_t num_weights,
                             int64_t padding_idx, bool scale_grad_by_freq) {
  const Tensor flat = reshape(indices, {-1});
  Tensor rows = index_select(g, 0, flat);
  if (scale_grad_by_freq) {
    const Tensor counts = index_select(bincount(flat, Tensor(), num_weights), 0, flat);
    rows = div(rows, unsqueeze(counts, 1));
  }
  if (padding_idx >= 0) rows = masked_fill(rows, unsqueeze(eq(flat, padding_idx), 1), 0);
  std::vector<int64_t> sizes(indices.sizes().begin(), indices.sizes().end());
  sizes.push_back(g.size(1));
  return reshape(rows, sizes);
}
const Gradient embedding_backward_grad{"embedding_dense_backward",
                                       For("grad_output", EmbeddingBackwardGrad)};
void BagGrad(const Grad& g, Output<1> offset2bag, Output<2> bag_size, Output<3> maximum,
             const Tensor& weight, const Tensor& indices, const Tensor& offsets,
             bool scale_grad_by_freq, int64_t mode, bool sparse, const Tensor& per_sample, Unsaved,
             int64_t padding_idx, Gradients& out) {
  if (out.needs(0)) {
    out.Set(0, _embedding_bag_backward(g, indices, offsets, offset2bag, bag_size, maximum,
                                       weight.size(0), scale_grad_by_freq, mode, sparse, per_sample,
                                       padding_idx));
  }
  if (out.needs(6)) {
    out.Set(6, _embedding_bag_per_sample_weights_backward(g, weight, indices, offsets, offset2bag,
                                                          mode, padding_idx));
  }
}
const Gradient bag_grad{"_embedding_bag", ForAll({"weight", "per_sample_weights"}, BagGrad)};
std::tuple<Tensor, Tensor, Tensor, Tensor> BagForwardOnly(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq,
    int64_t mode, bool sparse, const Tensor& per_sample, bool include_last_offset,
    int64_t padding_idx) {
  return _embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample,
                        include_last_offset, padding_idx);
}
const Decomposition bag_forward_parts{"_embedding_bag_forward_only", BagForwardOnly};

// log_alpha is what the operator keeps for its gradient.
Tensor CtcLogProbs(const Grad& g, Output<0> loss, Output<1> log_alpha, const Tensor& log_probs,
                   const Tensor& targets, IntSpan input_lengths, IntSpan target_lengths,
                   int64_t blank, bool zero_infinity) {
  return _ctc_loss_backward(g, log_probs, targets, input_lengths, target_lengths, loss, log_alpha,
                            blank, zero_infinity);
}
const Gradient ctc_grad{"_ctc_loss", Constant({1}), For("log_probs", CtcLogProbs)};
Tensor CtcTensorLogProbs(const Grad& g, Output<0> loss, Output<1> log_alpha,
                         const Tensor& log_probs, const Tensor& targets,
                         const Tensor& input_lengths, const Tensor& target_lengths, int64_t blank,
                         bool zero_infinity) {
  return _ctc_loss_backward(g, log_probs, targets, input_lengths, target_lengths, loss, log_alpha,
                            blank, zero_infinity);
}
const Gradient ctc_tensor_grad{"_ctc_loss.Tensor", Constant({1}),
                               For("log_probs", CtcTensorLogProbs)};

Tensor DropoutSelf(const Grad& g, Output<1> mask, Unsaved, double p, Optional<bool> train) {
  const double scale = train && !*train ? 1 : (p == 1 ? 0 : 1 / (1 - p));
  return native_dropout_backward(g, mask, scale);
}
const Gradient dropout_grad{"native_dropout", For("input", DropoutSelf)};

}  // namespace
}  // namespace sy
