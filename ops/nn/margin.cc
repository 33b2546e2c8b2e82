#include "switchyard/ops/nn/margin.h"

#include "switchyard/core/shape.h"
#include "switchyard/ops/nn/loss_checks.h"

namespace sy {

IntSpan RequireScores(const ShapeContext& r, const TensorBase& self, int64_t reduction) {
  const bool empty = self.dim() > 0 && self.size(-1) == 0;
  if (self.dim() > 2 || empty)
    r.Fail({"self must be a vector or a matrix with columns, got sizes ", self.sizes()});
  RequireDType(r, self, kMarginTypes);
  RequireReduction(r.op(), reduction);
  return reduction == kReduceNone && self.dim() == 2 ? self.sizes().first(1) : IntSpan();
}

void RequireMultiMargin(const ShapeContext& r, const TensorBase& self, const TensorBase& target,
                        const Scalar& p, const TensorBase& weight) {
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

void RequireMultilabelMargin(const ShapeContext& r, const TensorBase& self,
                             const TensorBase& target) {
  const bool fits = SameSizes(self.sizes(), target.sizes()) ||
                    (self.dim() < 2 && target.dim() < 2 && self.numel() == target.numel());
  if (!fits) r.Fail({"target must have self's sizes ", self.sizes(), ", got ", target.sizes()});
  if (target.dtype() != DType::kInt64) r.Fail({"target must be int64, got ", target.dtype()});
}

}  // namespace sy
