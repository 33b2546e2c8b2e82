// Losses by arithmetic.
// Source: ATen/native/Loss.cpp.

#include "ops/nn/reduced_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor L1Loss(Call call, const Tensor& self, const Tensor& target, int64_t reduction) {
  return ReducedLoss(call, abs(sub(self, target)), reduction);
}

Tensor SoftMargin(Call call, const Tensor& self, const Tensor& target, int64_t reduction) {
  return ReducedLoss(call, log1p(exp(mul(neg(self), target))), reduction);
}

Tensor WithLogits(Call call, const Tensor& self, const Tensor& target, const Tensor& weight,
                  const Tensor& pos_weight, int64_t reduction) {
  Tensor log = log_sigmoid(self);
  if (pos_weight.defined()) log = mul(add(mul(sub(pos_weight, 1), target), 1), log);
  Tensor loss = sub(mul(rsub(target, 1), self), log);
  if (weight.defined()) loss = mul(loss, weight);
  return ReducedLoss(call, loss, reduction);
}

Tensor HingeEmbedding(Call call, const Tensor& self, const Tensor& target, double margin,
                      int64_t reduction) {
  const Tensor far = clamp_min_(rsub(self, margin), 0);
  return ReducedLoss(call,
                     add(masked_fill(far, eq(target, 1), 0), masked_fill(self, eq(target, -1), 0)),
                     reduction);
}

Tensor MarginRanking(Call call, const Tensor& input1, const Tensor& input2, const Tensor& target,
                     double margin, int64_t reduction) {
  return ReducedLoss(call, clamp_min_(add_(mul(neg(target), sub(input1, input2)), margin), 0),
                     reduction);
}

Tensor TripletMargin(Call call, const Tensor& anchor, const Tensor& positive,
                     const Tensor& negative, double margin, double p, double eps, bool swap,
                     int64_t reduction) {
  if (anchor.dim() != positive.dim() || anchor.dim() != negative.dim()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"all three must have as many dimensions, got sizes ", anchor.sizes(), ", ",
          positive.sizes(), " and ", negative.sizes()});
  }
  const Tensor near = pairwise_distance(anchor, positive, p, eps);
  Tensor far = pairwise_distance(anchor, negative, p, eps);
  if (swap) far = minimum(far, pairwise_distance(positive, negative, p, eps));
  return ReducedLoss(call, clamp_min_(sub(add(near, margin), far), 0), reduction);
}

Tensor CosineEmbedding(Call call, const Tensor& input1, const Tensor& input2, const Tensor& target,
                       double margin, int64_t reduction) {
  const int64_t dim = target.dim();
  if (dim > 1 || input1.dim() != dim + 1 || input2.dim() != dim + 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected inputs of one dimension more than target, which has at most 1, "
          "got sizes ",
          input1.sizes(), ", ", input2.sizes(), " and ", target.sizes()});
  }
  constexpr double kSmall = 1e-12;
  const IntSpan along(&dim, 1);
  const Tensor squares = mul(add(sum(mul(input1, input1), along), kSmall),
                             add(sum(mul(input2, input2), along), kSmall));
  const Tensor cosine = div(sum(mul(input1, input2), along), sqrt(squares));
  const Tensor alike = masked_fill(rsub(cosine, 1), ne(target, 1), 0),
               apart = masked_fill(clamp_min(sub(cosine, margin), 0), ne(target, -1), 0);
  return ReducedLoss(call, add(alike, apart), reduction);
}

const Composite l1_body{"l1_loss", L1Loss};
const Composite soft_margin_body{"soft_margin_loss", SoftMargin};
const Composite with_logits_body{"binary_cross_entropy_with_logits", WithLogits};
const Composite hinge_body{"hinge_embedding_loss", HingeEmbedding};
const Composite ranking_body{"margin_ranking_loss", MarginRanking};
const Composite triplet_body{"triplet_margin_loss", TripletMargin};
const Composite cosine_embedding_body{"cosine_embedding_loss", CosineEmbedding};

}  // namespace
}  // namespace sy
