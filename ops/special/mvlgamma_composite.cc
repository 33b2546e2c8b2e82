// mvlgamma by lgamma.

#include <algorithm>
#include <cmath>
#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// sum over i = 0 … p - 1 of lgamma(x - i / 2), and p (p - 1) / 4 log(pi). Source: ATen mvlgamma,
// which has all terms in memory at once; here it is blocks of them.
Tensor Mvlgamma(Call call, const Tensor& self, int64_t p) {
  // x is above p / 2, where float32 has no halves beyond this.
  constexpr int64_t kMostSteps = int64_t{1} << 24, kBlock = int64_t{1} << 16;
  if (p < 1 || p > kMostSteps) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"p must be from 1 to ", kMostSteps, ", got ", p});
  }
  if (self.dtype() == DType::kBool)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must not be bool"});
  const auto n = static_cast<double>(p);
  const DType dtype = IsIntegral(self.dtype(), true) ? DefaultDType() : self.dtype();
  // 16-bit floats add up in float.
  const DType wide = Contains(kHalfTypes, dtype) ? DType::kFloat32 : dtype;
  const Tensor x = unsqueeze(to(self, dtype), -1);
  const int64_t step = ::std::clamp<int64_t>(kBlock / ::std::max<int64_t>(1, x.numel()), 1, p);
  Tensor total;
  for (int64_t i = 0; i < p; i += step) {
    const Tensor halves =
        mul(arange(i, ::std::min(p, i + step), dtype, ::std::nullopt, x.device()), 0.5);
    const Tensor part = sum(lgamma(sub(x, halves)), {-1}, false, wide);
    total = total.defined() ? add_(total, part) : part;
  }
  return add_(to(total, dtype), n * (n - 1) / 4 * std::log(M_PI));
}
const Composite mvlgamma_body{"mvlgamma", Mvlgamma};
const Composite special_multigammaln_body{"special_multigammaln", Mvlgamma};

}  // namespace
}  // namespace sy
