// What the losses of elements pass back to self.
//   grad_output: 0-d, or the common sizes without reduction; self, target: sizes that broadcast
//   (binary_cross_entropy, and its weight: to self's), floating; reduction: 0 none, 1 mean, 2 sum
//   →   the common sizes
// Errors: kInvalidArgument for sizes that do not fit, another reduction, a negative beta or a delta
// that is not positive; kNotImplemented for other dtypes.
// Example: sy::mse_loss_backward(g, x, y, 1)
// Source: ATen mse_loss_backward, smooth_l1_loss_backward, huber_loss_backward,
// binary_cross_entropy_backward, soft_margin_loss_backward.
#include "switchyard/core/shape.h"
#include "switchyard/ops/nn/loss_checks.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LossBackwardShape(PointwiseContext& r, const TensorBase& grad_output, const TensorBase& self,
                       const TensorBase& target, int64_t reduction) {
  RequireReduction(r.op(), reduction);
  r.Pointwise({&grad_output, &self, &target});
  RequireComputeDType(r, kFloatingTypes);
}
void SmoothL1BackwardShape(PointwiseContext& r, const TensorBase& grad_output,
                           const TensorBase& self, const TensorBase& target, int64_t reduction,
                           double beta) {
  RequireBeta(r, beta);
  LossBackwardShape(r, grad_output, self, target, reduction);
}
void HuberBackwardShape(PointwiseContext& r, const TensorBase& grad_output, const TensorBase& self,
                        const TensorBase& target, int64_t reduction, double delta) {
  RequireDelta(r, delta);
  LossBackwardShape(r, grad_output, self, target, reduction);
}
void CrossEntropyBackwardShape(PointwiseContext& r, const TensorBase& grad_output,
                               const TensorBase& self, const TensorBase& target,
                               const TensorBase& weight, int64_t reduction) {
  RequireProbabilities(r, self, target, weight);
  LossBackwardShape(r, grad_output, self, target, reduction);
}

}  // namespace

const Operator mse_loss_backward_op{
    "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    LossBackwardShape,
    Out("mse_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int "
        "reduction, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator smooth_l1_loss_backward_op{
    "smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float "
    "beta) -> Tensor",
    SmoothL1BackwardShape,
    Out("smooth_l1_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int "
        "reduction, float beta, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator huber_loss_backward_op{
    "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float "
    "delta) -> Tensor",
    HuberBackwardShape,
    Out("huber_loss_backward.out(Tensor grad_output, Tensor self, Tensor target, int reduction, "
        "float delta, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator binary_cross_entropy_backward_op{
    "binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? "
    "weight=None, int reduction=1) -> Tensor",
    CrossEntropyBackwardShape,
    Out("binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
        "Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)")};
const Operator soft_margin_loss_backward_op{
    "soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> "
    "Tensor",
    LossBackwardShape,
    Out("soft_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int "
        "reduction, *, Tensor(a!) grad_input) -> Tensor(a!)")};

}  // namespace sy
