// Losses that are a sum, or mean, of one number for each element and its target: the squared
// distance (mse_loss), the square of a short distance and the length of a long one (smooth_l1_loss,
// huber_loss), the logarithm of what a probability gives to the target (binary_cross_entropy).
//   self, target, weight: sizes that broadcast (binary_cross_entropy: to self's), floating;
//   reduction: 0 none, 1 mean, 2 sum   →   the common sizes without reduction, else 0-d
// Errors: kInvalidArgument for sizes that do not fit, another reduction, a negative beta or a delta
// that is not positive; kInvalidValue for a probability outside 0 … 1; kNotImplemented for other
// dtypes.
// Example: sy::mse_loss(x, y)
// Source: ATen mse_loss, smooth_l1_loss, huber_loss, binary_cross_entropy.
#include <algorithm>

#include "switchyard/core/shape.h"
#include "switchyard/ops/nn/loss_checks.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LossShape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
               int64_t reduction) {
  RequireReduction(r.op(), reduction);
  if (reduction == kReduceNone) {
    r.Pointwise(self, target);
  } else {
    int64_t* sizes = r.Ints(std::max(self.dim(), target.dim()));
    Broadcast(self.sizes(), target.sizes(), sizes, r.op());
    r.Output(IntSpan(), ResultType(self, target)).cast = CastPolicy::kCan;
  }
  RequireComputeDType(r, kFloatingTypes);
}

void SmoothL1Shape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                   int64_t reduction, double beta) {
  RequireBeta(r, beta);
  LossShape(r, self, target, reduction);
}
void HuberShape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                int64_t reduction, double delta) {
  RequireDelta(r, delta);
  LossShape(r, self, target, reduction);
}

void BinaryCrossEntropyShape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                             const TensorBase& weight, int64_t reduction) {
  RequireProbabilities(r, self, target, weight);
  LossShape(r, self, target, reduction);
}

}  // namespace

const Operator mse_loss_op{"mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
                           LossShape, kOut};
const Operator smooth_l1_loss_op{
    "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor",
    SmoothL1Shape, kOut};
const Operator huber_loss_op{
    "huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor", HuberShape,
    kOut};
const Operator binary_cross_entropy_op{
    "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> "
    "Tensor",
    BinaryCrossEntropyShape, kOut};

}  // namespace sy
