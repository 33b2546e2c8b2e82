// nll_loss by its forward forms; of other numbers of dimensions by images of one row.
#include <tuple>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy {
namespace {

Tensor NllLoss(Call, const Tensor& self, const Tensor& target, const Tensor& weight,
               int64_t reduction, int64_t ignore_index) {
  return ::std::get<0>(nll_loss_forward(self, target, weight, reduction, ignore_index));
}
Tensor NllLoss2d(Call, const Tensor& self, const Tensor& target, const Tensor& weight,
                 int64_t reduction, int64_t ignore_index) {
  return ::std::get<0>(nll_loss2d_forward(self, target, weight, reduction, ignore_index));
}

Tensor NllLossNd(Call call, const Tensor& self, const Tensor& target, const Tensor& weight,
                 int64_t reduction, int64_t ignore_index) {
  const auto fail = [&](::std::initializer_list<Piece> pieces) {
    Fail(ErrorCode::kInvalidArgument, call.op(), pieces);
  };
  if (self.dim() < 1) fail({"self must have at least 1 dimension, got sizes ", self.sizes()});
  if (self.dim() != 1 && (target.dim() < 1 || self.size(0) != target.size(0))) {
    fail({"self and target must have as many samples, got sizes ", self.sizes(), " and ",
          target.sizes()});
  }
  if (self.dim() <= 2) return nll_loss(self, target, weight, reduction, ignore_index);
  if (self.dim() == 4) return nll_loss2d(self, target, weight, reduction, ignore_index);
  const size_t inner = self.sizes().size() - 2;
  if (target.sizes().size() != inner + 1 ||
      !SameSizes(target.sizes().last(inner), self.sizes().last(inner))) {
    fail({"target must have self's sizes ", self.sizes(), " but for the second, got ",
          target.sizes()});
  }
  const int64_t n = self.size(0), count = NumElements(self.sizes().last(inner));
  const Tensor loss = nll_loss2d(reshape(self, {n, self.size(1), 1, count}),
                                 reshape(target, {n, 1, count}), weight, reduction, ignore_index);
  return reduction == kReduceNone ? view(loss, target.sizes()) : loss;
}

const Composite nll_loss_body{"nll_loss", NllLoss};
const Composite nll_loss2d_body{"nll_loss2d", NllLoss2d};
const Composite nll_loss_nd_body{"nll_loss_nd", NllLossNd};

}  // namespace
}  // namespace sy
