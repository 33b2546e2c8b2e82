// Margin losses of rows of scores.
//   multi_margin_loss: for each row with target y, the mean over i of max(0, margin - x[y] +
//   x[i])^p weight[y], but for i = y
//   multilabel_margin_loss: for each row, whose targets are the classes before the first -1, the
//   mean over targets y and other classes i of max(0, 1 - (x[y] - x[i]))
//   self: [n, c], [c] or 0-d, floating; target: int64, [n] or, multilabel, self's sizes; weight:
//   [c] or absent; p: 1 or 2; reduction: 0 none, 1 mean, 2 sum   →   [n] without reduction (of one
//   row: 0-d), else 0-d
// Errors: kInvalidArgument for sizes or dtypes that do not fit, another p or reduction;
// kInvalidValue for a target out of range.
// Example: sy::multi_margin_loss(x, index)
// Source: ATen multi_margin_loss, multilabel_margin_loss.
#include "switchyard/core/shape.h"
#include "switchyard/ops/nn/reduction.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kMarginTypes = Mask(DType::kFloat32, DType::kFloat64);

// Checks scores; states the output.
void RowsShape(ShapeContext& r, const TensorBase& self, int64_t reduction) {
  const bool empty = self.dim() > 0 && self.size(-1) == 0;
  if (self.dim() > 2 || empty) {
    r.Fail({"self must be a vector or a matrix with columns, got sizes ", self.sizes()});
  }
  RequireDType(r, self, kMarginTypes);
  if (reduction < kReduceNone || reduction > kReduceSum)
    r.Fail({"reduction must be 0 (none), 1 (mean) or 2 (sum), got ", reduction});
  if (reduction == kReduceNone && self.dim() == 2) {
    r.Output({self.sizes()[0]}, self.dtype());
  } else {
    r.Output(IntSpan(), self.dtype());
  }
}

void MultiMarginShape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                      const Scalar& p, const Scalar& /*margin*/, const TensorBase& weight,
                      int64_t reduction) {
  RowsShape(r, self, reduction);
  const double power = p.To<double>();
  if (power != 1 && power != 2) r.Fail({"p must be 1 or 2, got ", power});
  const int64_t rows = self.dim() == 2 ? self.sizes()[0] : 1;
  if (target.dim() > 1 || target.numel() != rows)
    r.Fail({"target must be a vector of ", rows, " elements, got sizes ", target.sizes()});
  if (target.dtype() != DType::kInt64) r.Fail({"target must be int64, got ", target.dtype()});
  if (!weight.defined()) return;
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  if (weight.dim() > 1 || weight.numel() != classes || (weight.dim() == 0 && classes != 1))
    r.Fail({"weight must be a vector of ", classes, " elements, got sizes ", weight.sizes()});
  RequireSameDType(r, self, weight, "self", "weight");
}

void MultilabelMarginShape(ShapeContext& r, const TensorBase& self, const TensorBase& target,
                           int64_t reduction) {
  RowsShape(r, self, reduction);
  const bool fits = SameSizes(self.sizes(), target.sizes()) ||
                    (self.dim() < 2 && target.dim() < 2 && self.numel() == target.numel());
  if (!fits) r.Fail({"target must have self's sizes ", self.sizes(), ", got ", target.sizes()});
  if (target.dtype() != DType::kInt64) r.Fail({"target must be int64, got ", target.dtype()});
}

}  // namespace

const Operator multi_margin_loss_op{
    "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? "
    "weight=None, int reduction=1) -> Tensor",
    MultiMarginShape, kOut};
const Operator multilabel_margin_loss_op{
    "multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    MultilabelMarginShape, kOut};

}  // namespace sy
