// logsumexp by exp, sum and log.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Relative to the largest element (real part), or to 0 where that is infinite.
Tensor Logsumexp(Call, const Tensor& self, IntSpan dim, bool keepdim) {
  const Tensor x = IsIntegral(self.dtype(), true) ? to(self, DefaultDType()) : self;
  if (x.numel() == 0) return log(sum(exp(x), dim, keepdim));
  const Tensor most = amax(to(x, RealType(x.dtype())), dim, true);
  const Tensor shift = masked_fill(most, isinf(most), 0);
  const Tensor logs = log_(sum(exp(sub(x, shift)), dim, true));
  const Tensor result = add(logs, shift);
  return keepdim ? result : dim.empty() ? reshape(result, IntSpan()) : squeeze(result, dim);
}
const Composite logsumexp_body{"logsumexp", Logsumexp};
const Composite special_logsumexp_body{"special_logsumexp", Logsumexp};

}  // namespace
}  // namespace sy
