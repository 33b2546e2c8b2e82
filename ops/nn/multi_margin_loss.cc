// Margin losses of rows of scores.
//   multi_margin_loss: for each row with target y, the mean over i of max(0, margin - x[y] +
//   x[i])^p weight[y], but for i = y
//   multilabel_margin_loss: for each row, whose targets are the classes before the first -1, the
//   mean over targets y and other classes i of max(0, 1 - (x[y] - x[i]))
//   self: [n, c], [c] or 0-d, floating; target: int64, [n] or, multilabel, self's sizes; weight:
//   [c] or absent; p: 1 or 2; reduction: 0 none, 1 mean, 2 sum   →   [n] without reduction (of one
//   row: 0-d), else 0-d; multilabel_margin_loss_forward also gives, of target's sizes, 1 for each
//   class that is a target and 0 for others
// Errors: kInvalidArgument for sizes or dtypes that do not fit, another p or reduction;
// kIndexOutOfRange for a target out of range.
// Example: sy::multi_margin_loss(x, index)
// Source: ATen multi_margin_loss, multilabel_margin_loss, multilabel_margin_loss_forward.
#include "switchyard/ops/nn/margin.h"

namespace sy {
namespace {

void MultiMarginShape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                      const Scalar& p, const Scalar& /*margin*/, const TensorBase& weight,
                      int64_t reduction) {
  r.Output(RequireScores(r, self, reduction), self.dtype());
  RequireMultiMargin(r, self, target, p, weight);
}
void MultilabelMarginShape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                           int64_t reduction) {
  r.Output(RequireScores(r, self, reduction), self.dtype());
  RequireMultilabelMargin(r, self, target);
}
void MultilabelForwardShape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                            int64_t reduction) {
  MultilabelMarginShape(r, self, target, reduction);
  r.Output(target.sizes(), self.dtype());
}

}  // namespace

const Operator multi_margin_loss_op{
    "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? "
    "weight=None, int reduction=1) -> Tensor",
    MultiMarginShape, kOut};
const Operator multilabel_margin_loss_op{
    "multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    MultilabelMarginShape, kOut};
const Operator multilabel_margin_loss_forward_op{
    "multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, "
    "Tensor is_target)",
    Outputs<2>(MultilabelForwardShape),
    Out("multilabel_margin_loss_forward.output(Tensor self, Tensor target, int reduction, *, "
        "Tensor(a!) output, Tensor(b!) is_target) -> (Tensor(a!), Tensor(b!))")};

}  // namespace sy
