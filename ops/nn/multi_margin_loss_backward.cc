// What margin losses of rows of scores pass back to the scores.
//   grad_output: the loss's sizes; self, target, p, margin, weight, reduction: as the losses take
//   them; is_target: 1 for each class that is a target, else 0, of target's sizes   →   like self
// Errors: kInvalidArgument for sizes or dtypes that do not fit, another p or reduction;
// kIndexOutOfRange for a target out of range.
// Example: sy::multi_margin_loss_backward(g, x, index, 1, 1)
// Source: ATen multi_margin_loss_backward, multilabel_margin_loss_backward.
#include "switchyard/ops/nn/margin.h"

namespace sy {
namespace {

void BackwardOutput(ShapeContext& r, const TensorBase& grad_output, const TensorBase& self,
                    int64_t reduction) {
  const IntSpan sizes = RequireScores(r, self, reduction);
  const bool one = sizes.empty() && grad_output.dim() <= 1 && grad_output.numel() == 1;
  if (!one && !SameSizes(grad_output.sizes(), sizes))
    r.Fail({"grad_output must have the loss's sizes ", sizes, ", got ", grad_output.sizes()});
  RequireSameDType(r, self, grad_output, "self", "grad_output");
  r.Output(self.sizes(), self.dtype());
}

void MultiMarginBackwardShape(ShapeContext& r, const TensorBase& grad_output,
                              const TensorBase& self, const TensorBase& target, const Scalar& p,
                              const Scalar& /*margin*/, const TensorBase& weight,
                              int64_t reduction) {
  BackwardOutput(r, grad_output, self, reduction);
  RequireMultiMargin(r, self, target, p, weight);
}
void MultilabelMarginBackwardShape(ShapeContext& r, const TensorBase& grad_output,
                                   const TensorBase& self, const TensorBase& target,
                                   int64_t reduction, const TensorBase& is_target) {
  BackwardOutput(r, grad_output, self, reduction);
  RequireMultilabelMargin(r, self, target);
  if (!SameSizes(is_target.sizes(), target.sizes())) {
    r.Fail({"is_target must have target's sizes ", target.sizes(), ", got ", is_target.sizes()});
  }
  RequireSameDType(r, self, is_target, "self", "is_target");
}

}  // namespace

const Operator multi_margin_loss_backward_op{
    "multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar "
    "margin, Tensor? weight=None, int reduction=1) -> Tensor",
    MultiMarginBackwardShape,
    Out("multi_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
        "Scalar p, Scalar margin, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) "
        "-> Tensor(a!)")};
const Operator multilabel_margin_loss_backward_op{
    "multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int "
    "reduction, Tensor is_target) -> Tensor",
    MultilabelMarginBackwardShape,
    Out("multilabel_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor "
        "target, int reduction, Tensor is_target, *, Tensor(a!) grad_input) -> Tensor(a!)")};

}  // namespace sy
