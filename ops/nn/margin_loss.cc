// Losses by composition: of distances, similarities and margins between tensors.
//   tensors: sizes that broadcast; reduction: 0 none, 1 mean, 2 sum   →   the common sizes (of
//   distances: without the dimension they are taken along) without reduction, else 0-d
// l1_loss: |x - y|. soft_margin_loss: log(1 + e^(-x y)). binary_cross_entropy_with_logits:
// binary_cross_entropy of sigmoid(self), where pos_weight weighs targets of 1.
// hinge_embedding_loss: self where the target is 1, margin - self (at least 0) where it is -1.
// margin_ranking_loss: margin - target (x - y), at least 0. triplet_margin_loss: margin + distance
// to positive - distance to negative, at least 0. cosine_embedding_loss: 1 - similarity where the
// target is 1, similarity - margin (at least 0) where it is -1.
// Errors: kInvalidArgument for sizes that do not broadcast and another reduction.
// Example: sy::l1_loss(x, y)
// Source: ATen l1_loss, soft_margin_loss, binary_cross_entropy_with_logits, hinge_embedding_loss,
// margin_ranking_loss, triplet_margin_loss, cosine_embedding_loss.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator l1_loss_op{"l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"};
const Operator soft_margin_loss_op{
    "soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", KeyRule::kPromote,
    kOut};
const Operator binary_cross_entropy_with_logits_op{
    "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? "
    "pos_weight=None, int reduction=1) -> Tensor",
    KeyRule::kPromote, kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator hinge_embedding_loss_op{
    "hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor"};
const Operator margin_ranking_loss_op{
    "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int "
    "reduction=1) -> Tensor"};
const Operator triplet_margin_loss_op{
    "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float "
    "p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor"};
const Operator cosine_embedding_loss_op{
    "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int "
    "reduction=1) -> Tensor"};

}  // namespace sy
