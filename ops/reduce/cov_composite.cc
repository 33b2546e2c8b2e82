// Covariance and correlation, as matrix products of what is left after subtracting the means.

#include <optional>
#include <string_view>

#include "switchyard/core/transfer.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireRank(Call call, const Tensor& t, std::string_view name, int64_t most) {
  if (t.dim() <= most) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {name, " must have at most ", most, " dimensions, got sizes ", t.sizes()});
}
// Not those of meta, nor of what is another tensor in each example (vmap).
bool HasValues(const Tensor& w) { return HasBytes(w) && LayersOfKey(w.key() & ~kGradBit) == 0; }
void RequireWeights(Call call, const Tensor& w, std::string_view name, bool fits_dtype,
                    std::string_view dtypes, int64_t observations) {
  RequireRank(call, w, name, 1);
  if (!fits_dtype || w.numel() != observations) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {name, " must be ", dtypes, ", one for each of ", observations, " observations, got ",
          Describe(w)});
  }
  if (w.numel() != 0 && HasValues(w) && item(any(lt(w, 0))).To<bool>())
    Fail(ErrorCode::kInvalidValue, call.op(), {name, " must not be negative"});
}

Tensor Cov(Call call, const Tensor& self, int64_t correction, const Tensor& fweights,
           const Tensor& aweights) {
  RequireRank(call, self, "self", 2);
  if (self.dtype() == DType::kBool)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must not be bool"});
  Tensor x = self.dim() < 2 ? reshape(self, {1, -1}) : self;
  const int64_t observations = x.size(1);
  Tensor w;
  if (fweights.defined()) {
    RequireWeights(call, fweights, "fweights", IsIntegral(fweights.dtype(), false), "integers",
                   observations);
    w = fweights;
  }
  if (aweights.defined()) {
    RequireWeights(call, aweights, "aweights", IsFloating(aweights.dtype()), "floating",
                   observations);
    w = w.defined() ? w * aweights : aweights;
  }
  const auto weighted = [&](const Tensor& t) { return w.defined() ? t * w : t; };
  const Tensor total =
      w.defined() ? sum(w) : full({}, observations, DType::kInt64, std::nullopt, self.device());
  if (w.defined() && HasValues(total) && item(total).is_zero())
    Fail(ErrorCode::kInvalidValue, call.op(), {"weights must not add up to 0"});
  const Tensor mean = sum(weighted(x), 1) / total;
  const Tensor lost = aweights.defined() && correction != 0
                          ? correction * sum(w * aweights) / total
                          : full({}, correction, DType::kInt64, std::nullopt, self.device());
  x = x - unsqueeze(mean, 1);
  const Tensor products = mm(x, conj_physical(t(weighted(x))));
  return squeeze(true_divide(products, clamp_min(total - lost, 0)));
}
const Composite cov_body{"cov", Cov};

Tensor Corrcoef(Call call, const Tensor& self) {
  RequireRank(call, self, "self", 2);
  const Tensor c = cov(self);
  if (c.dim() == 0) return c / c;
  const Tensor deviation = sqrt(real(diagonal(c)));
  const Tensor ratio = c / unsqueeze(deviation, 1) / unsqueeze(deviation, 0);
  if (!IsComplex(ratio.dtype())) return clamp(ratio, Scalar(-1), Scalar(1));
  return complex(clamp(real(ratio), Scalar(-1), Scalar(1)),
                 clamp(imag(ratio), Scalar(-1), Scalar(1)));
}
const Composite corrcoef_body{"corrcoef", Corrcoef};

}  // namespace
}  // namespace sy
