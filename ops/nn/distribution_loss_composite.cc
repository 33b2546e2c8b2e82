// Losses of distributions by arithmetic.
#include <numbers>

#include "ops/nn/reduced_composite.h"
#include "switchyard/core/promotion.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor KlDiv(Call call, const Tensor& self, const Tensor& target, int64_t reduction,
             bool log_target) {
  if (IsComplex(self.dtype()) || IsComplex(target.dtype())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self and target must be real, got ", self.dtype(), " and ", target.dtype()});
  }
  return ReducedLoss(call,
                     log_target ? mul(exp(target), sub(target, self))
                                : sub(xlogy(target, target), mul(target, self)),
                     reduction);
}

Tensor PoissonNll(Call call, const Tensor& input, const Tensor& target, bool log_input, bool full,
                  double eps, int64_t reduction) {
  Tensor loss = log_input ? sub(exp(input), mul(target, input))
                          : sub(input, mul(target, log(add(input, eps))));
  if (full) {
    const Tensor root = mul(log(mul(target, 2 * ::std::numbers::pi)), 0.5);
    const Tensor factorial = add(sub(mul(target, log(target)), target), root);
    loss = add(loss, masked_fill(factorial, le(target, 1), 0));
  }
  return ReducedLoss(call, loss, reduction);
}

const Composite kl_div_body{"kl_div", KlDiv};
const Composite poisson_nll_body{"poisson_nll_loss", PoissonNll};

}  // namespace
}  // namespace sy
