// What a class costs whose logarithm of a probability is given: -self[target] weight[target], for
// each target, their sum, or their mean weighted by weight[target]. Targets of ignore_index cost
// nothing and count for nothing.
//   nll_loss: self [n, c] or [c], target [n] or 0-d; nll_loss2d: self [n, c, h, w], target [n, h,
//   w]; nll_loss_nd: self [n, c, ..], target [n, ..]. self: floating; target: int64 (nll_loss:
//   also uint8); weight: [c] of self's dtype, or absent; reduction: 0 none, 1 mean, 2 sum   →
//   target's sizes without reduction (of self [c]: 0-d), else 0-d
// The forward forms give the sum of weights too, 0-d, which is 0 without reduction; the backward
// ones what is passed back to self, of its sizes.
// Errors: kInvalidArgument for sizes or dtypes that do not fit and another reduction;
// kIndexOutOfRange for a target out of range; kNotImplemented for other dtypes of self.
// Example: sy::nll_loss(x, index)
// Source: ATen nll_loss, nll_loss2d, nll_loss_nd, nll_loss_forward, nll_loss_backward,
// nll_loss2d_forward, nll_loss2d_backward.
#include "switchyard/core/shape.h"
#include "switchyard/ops/nn/loss_checks.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RequireCommon(const ShapeContext& r, const TensorBase& self, const TensorBase& weight,
                   int64_t classes, int64_t reduction) {
  RequireDType(r, self, kFloatingTypes);
  RequireReduction(r.op(), reduction);
  if (!weight.defined()) return;
  if (weight.dim() != 1 || weight.numel() != classes)
    r.Fail({"weight must be a vector of ", classes, " elements, got sizes ", weight.sizes()});
  RequireSameDType(r, self, weight, "self", "weight");
}

// Sizes of the losses.
IntSpan CheckRows(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                  const TensorBase& weight, int64_t reduction) {
  if (self.dim() != 1 && self.dim() != 2)
    r.Fail({"self must be a vector or a matrix, got sizes ", self.sizes()});
  const bool fits = self.dim() == 1 ? target.dim() <= 1 && target.numel() == 1
                                    : target.dim() == 1 && target.numel() == self.size(0);
  if (!fits) {
    r.Fail({"target must have a class for each row of self, whose sizes are ", self.sizes(),
            "; got sizes ", target.sizes()});
  }
  if (target.dtype() != DType::kInt64 && target.dtype() != DType::kUInt8)
    r.Fail({"target must be int64 or uint8, got ", target.dtype()});
  RequireCommon(r, self, weight, self.size(-1), reduction);
  return reduction == kReduceNone && self.dim() == 2 ? target.sizes() : IntSpan();
}
IntSpan CheckImages(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                    const TensorBase& weight, int64_t reduction) {
  if (self.dim() != 4) r.Fail({"self must have 4 dimensions, got sizes ", self.sizes()});
  const bool fits = target.dim() == 3 && target.size(0) == self.size(0) &&
                    target.size(1) == self.size(2) && target.size(2) == self.size(3);
  if (!fits) {
    r.Fail({"target must have self's sizes ", self.sizes(), " but for the second, got ",
            target.sizes()});
  }
  if (target.dtype() != DType::kInt64) r.Fail({"target must be int64, got ", target.dtype()});
  RequireCommon(r, self, weight, self.size(1), reduction);
  return reduction == kReduceNone ? target.sizes() : IntSpan();
}

using Check = IntSpan(ShapeContext&, const TensorBase&, const TensorBase&, const TensorBase&,
                      int64_t);

template <Check kCheck>
void ForwardShape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                  const TensorBase& weight, int64_t reduction, int64_t /*ignore_index*/) {
  r.Output(kCheck(r, self, target, weight, reduction), self.dtype());
  r.Output(IntSpan(), self.dtype());
}
template <Check kCheck>
void BackwardShape(ShapeContext& r, const TensorBase& grad_output, const TensorBase& self,
                   const TensorBase& target, const TensorBase& weight, int64_t reduction,
                   int64_t /*ignore_index*/, const TensorBase& total_weight) {
  const IntSpan sizes = kCheck(r, self, target, weight, reduction);
  const bool one = sizes.empty() && grad_output.dim() <= 1 && grad_output.numel() == 1;
  if (!one && !SameSizes(grad_output.sizes(), sizes))
    r.Fail({"grad_output must have the loss's sizes ", sizes, ", got ", grad_output.sizes()});
  RequireSameDType(r, self, grad_output, "self", "grad_output");
  if (total_weight.numel() != 1)
    r.Fail({"total_weight must have one element, got sizes ", total_weight.sizes()});
  RequireSameDType(r, self, total_weight, "self", "total_weight");
  r.Output(self.sizes(), self.dtype());
}

}  // namespace

const Operator nll_loss_forward_op{
    "nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt "
    "ignore_index) -> (Tensor output, Tensor total_weight)",
    Outputs<2>(ForwardShape<CheckRows>),
    Out("nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt "
        "ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), "
        "Tensor(b!))")};
const Operator nll_loss_backward_op{
    "nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int "
    "reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
    BackwardShape<CheckRows>,
    Out("nll_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? "
        "weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) "
        "grad_input) -> Tensor(a!)")};
const Operator nll_loss2d_forward_op{
    "nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt "
    "ignore_index) -> (Tensor output, Tensor total_weight)",
    Outputs<2>(ForwardShape<CheckImages>),
    Out("nll_loss2d_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, "
        "SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), "
        "Tensor(b!))")};
const Operator nll_loss2d_backward_op{
    "nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int "
    "reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
    BackwardShape<CheckImages>,
    Out("nll_loss2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? "
        "weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) "
        "grad_input) -> Tensor(a!)")};
const Operator nll_loss_op{
    "nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
    "ignore_index=-100) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator nll_loss2d_op{
    "nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
    "ignore_index=-100) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator nll_loss_nd_op{
    "nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
    "ignore_index=-100) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
