// cross_entropy_loss by log_softmax and nll_loss.
// Source: ATen/native/LossNLL.cpp, for what a mean is divided by.
#include <limits>
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/nn/loss_checks.h"

namespace sy {
namespace {

constexpr auto kInvalid = ErrorCode::kInvalidArgument;

// weight along the classes of self.
Tensor AlongClasses(const Tensor& weight, const Tensor& self, int64_t class_dim) {
  ::std::vector<int64_t> sizes(self.sizes().size(), 1);
  sizes[static_cast<size_t>(class_dim)] = weight.numel();
  return view(weight, sizes);
}

// What all classes together cost, of each sample.
Tensor OfAllClasses(const Tensor& log, const Tensor& weight, int64_t class_dim) {
  const Tensor weighted = weight.defined() ? mul(log, AlongClasses(weight, log, class_dim)) : log;
  return neg(sum(weighted, IntSpan(&class_dim, 1)));
}

Tensor OfProbabilities(Call call, const Tensor& self, const Tensor& given, const Tensor& weight,
                       int64_t reduction, double smoothing, int64_t class_dim) {
  if (!IsFloating(given.dtype())) {
    Fail(kInvalid, call.op(),
         {"target must be floating where it has probabilities of classes, got ", given.dtype()});
  }
  const int64_t classes = self.size(class_dim);
  if (weight.defined() && (weight.dim() != 1 || weight.numel() != classes)) {
    Fail(kInvalid, call.op(),
         {"weight must be a vector of ", classes, " elements, got sizes ", weight.sizes()});
  }
  const Tensor target =
      smoothing > 0 ? add(mul(given, 1 - smoothing), smoothing / static_cast<double>(classes))
                    : given;
  const Tensor log = mul(log_softmax(self, class_dim), target);
  if (reduction == kReduceNone) return OfAllClasses(log, weight, class_dim);
  const Tensor weighted = weight.defined() ? mul(log, AlongClasses(weight, log, class_dim)) : log;
  const Tensor all = neg(sum(weighted));
  if (reduction == kReduceSum) return all;
  if (self.numel() == 0) return fill_(all, ::std::numeric_limits<double>::quiet_NaN());
  return div(all, static_cast<double>(self.numel()) / static_cast<double>(classes));
}

Tensor Smoothed(const Tensor& self, const Tensor& target, const Tensor& weight, int64_t reduction,
                int64_t ignore_index, double smoothing, int64_t class_dim) {
  const Tensor log = log_softmax(self, class_dim),
               loss = nll_loss_nd(log, target, weight, reduction, ignore_index);
  const Tensor ignored = eq(target, ignore_index);
  Tensor smooth = masked_fill(OfAllClasses(log, weight, class_dim), ignored, 0);
  if (reduction != kReduceNone) smooth = sum(smooth);
  if (reduction == kReduceMean) {
    if (weight.defined()) {
      // Ignored targets may be no classes: they look at the first, and are left out.
      const Tensor classes = masked_fill(target, ignored, 0);
      const Tensor weights = index_select(weight, 0, reshape(classes, {-1}));
      smooth = div(smooth, sum(masked_fill(weights, reshape(ignored, {-1}), 0)));
    } else {
      smooth = div(smooth, sum(logical_not(ignored)));
    }
  }
  return add(mul(loss, 1 - smoothing),
             mul(smooth, smoothing / static_cast<double>(self.size(class_dim))));
}

Tensor CrossEntropy(Call call, const Tensor& self, const Tensor& target, const Tensor& weight,
                    int64_t reduction, int64_t ignore_index, double label_smoothing) {
  RequireReduction(call.op(), reduction);
  if (!(label_smoothing >= 0 && label_smoothing <= 1))
    Fail(kInvalid, call.op(), {"label_smoothing must be 0 to 1, got ", label_smoothing});
  if (self.dim() < 1) {
    Fail(kInvalid, call.op(), {"self must have at least 1 dimension, got sizes ", self.sizes()});
  }
  const int64_t class_dim = self.dim() == 1 ? 0 : 1;
  if (SameSizes(self.sizes(), target.sizes())) {
    if (ignore_index >= 0) {
      Fail(kInvalid, call.op(),
           {"ignore_index must be negative where target has probabilities of classes, got ",
            ignore_index});
    }
    return OfProbabilities(call, self, target, weight, reduction, label_smoothing, class_dim);
  }
  if (label_smoothing > 0) {
    return Smoothed(self, target, weight, reduction, ignore_index, label_smoothing, class_dim);
  }
  return nll_loss_nd(log_softmax(self, class_dim), target, weight, reduction, ignore_index);
}
const Composite cross_entropy_body{"cross_entropy_loss", CrossEntropy};

}  // namespace
}  // namespace sy
