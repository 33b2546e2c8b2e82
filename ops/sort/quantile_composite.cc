// Quantiles by sorting. Source: quantile_compute, ATen/native/Sorting.cpp.

#include <initializer_list>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "ops/checks.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void Check(Call call, const Tensor& self, const Tensor& q, std::string_view interpolation) {
  const auto fail = [&](std::initializer_list<Piece> pieces) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {Join(pieces)});
  };
  if (self.numel() == 0) fail({"self must not be empty, got sizes ", self.sizes()});
  if (q.dim() > 1) fail({"q must be a number or 1-d, got sizes ", q.sizes()});
  if (self.dtype() != DType::kFloat32 && self.dtype() != DType::kFloat64)
    fail({"self must be float32 or float64, got ", self.dtype()});
  if (q.dtype() != self.dtype())
    fail({"self and q must have the same dtype, got ", self.dtype(), " and ", q.dtype()});
  for (std::string_view name : {"linear", "lower", "higher", "midpoint", "nearest"}) {
    if (interpolation == name) return;
  }
  fail({"interpolation must be 'linear', 'lower', 'higher', 'midpoint' or 'nearest', got '",
        interpolation, "'"});
}

// Sizes of the result, those of q in front as [k], which is 1 for a number.
std::vector<int64_t> ResultSizes(const Tensor& self, const Tensor& q, Optional<int64_t> dim,
                                 bool keepdim) {
  std::vector<int64_t> sizes;
  if (dim && self.dim() > 0) {
    sizes.assign(self.sizes().begin(), self.sizes().end());
    const int64_t at = WrapDim(*dim, self.dim());
    if (keepdim) {
      sizes[static_cast<size_t>(at)] = 1;
    } else {
      sizes.erase(sizes.begin() + at);
    }
  } else if (keepdim) {
    sizes.assign(static_cast<size_t>(self.dim()), 1);
  }
  sizes.insert(sizes.begin(), q.numel());
  return sizes;
}

Tensor Compute(Call call, const Tensor& self, const Tensor& q, Optional<int64_t> dim, bool keepdim,
               std::string_view interpolation, bool skip_nan) {
  Check(call, self, q, interpolation);
  // What is another tensor in each example (vmap) has no value to check.
  const bool has_value = LayersOfKey(q.key() & ~kGradBit) == 0;
  if (HasData(self) && has_value && !item(all(logical_and(ge(q, 0), le(q, 1)))).To<bool>())
    Fail(ErrorCode::kInvalidValue, call.op(), {"q must be from 0 to 1"});
  const std::vector<int64_t> out = ResultSizes(self, q, dim, keepdim);
  // Lines as rows, sorted, one for each element of the result behind its first dimension.
  Tensor rows = self;
  if (!dim) {
    rows = reshape(self, {-1});
  } else if (WrapDim(*dim, self.dim()) != self.dim() - 1) {
    rows = transpose(unsqueeze(self, -1), WrapDim(*dim, self.dim()), -1);
  }
  rows = std::get<0>(sort(rows));
  const int64_t n = rows.dim() == 0 ? 1 : rows.size(-1);
  std::vector<int64_t> shape(out.begin() + 1, out.end());
  shape.push_back(n);
  rows = reshape(rows, shape);
  Tensor ranks;
  if (skip_nan) {
    const Tensor last = sub(sum(logical_not(isnan(rows)), -1, true), 1);
    ranks = mul(q, last);
    ranks = masked_fill(ranks, lt(ranks, 0), 0);
  } else {
    // Where there is NaN it is last.
    const Tensor has_nan = any(isnan(rows), -1, true);
    const Tensor each = mul(q, n - 1);
    std::vector<int64_t> sizes(shape);
    sizes.back() = q.numel();
    ranks = masked_fill(expand(each, sizes), expand(has_nan, sizes), n - 1);
  }
  if (interpolation == "lower") ranks = floor(ranks);
  if (interpolation == "higher") ranks = ceil(ranks);
  if (interpolation == "nearest") ranks = round(ranks);
  const Tensor below = to(ranks, DType::kInt64);
  Tensor values = gather(rows, -1, below);
  const bool midpoint = interpolation == "midpoint";
  if (midpoint || interpolation == "linear") {
    const Tensor weights = midpoint ? full_like(ranks, 0.5) : sub(ranks, below);
    const Tensor above = gather(rows, -1, to(ceil(ranks), DType::kInt64));
    values = lerp(values, above, weights);
  }
  if (q.dim() == 0) return squeeze(values, -1);
  return squeeze(transpose(unsqueeze(values, 0), 0, -1), -1);
}

template <bool kSkipNaN>
Tensor Quantile(Call call, const Tensor& self, const Tensor& q, Optional<int64_t> dim, bool keepdim,
                std::string_view interpolation) {
  return Compute(call, self, q, dim, keepdim, interpolation, kSkipNaN);
}
template <bool kSkipNaN>
Tensor QuantileOfNumber(Call call, const Tensor& self, double q, Optional<int64_t> dim,
                        bool keepdim, std::string_view interpolation) {
  if (!(q >= 0 && q <= 1))
    Fail(ErrorCode::kInvalidValue, call.op(), {"q must be from 0 to 1, got ", q});
  const Tensor number = full(IntSpan(), q, self.dtype(), std::nullopt, self.device());
  return Compute(call, self, number, dim, keepdim, interpolation, kSkipNaN);
}
const Composite quantile_body{"quantile", Quantile<false>};
const Composite quantile_scalar_body{"quantile.scalar", QuantileOfNumber<false>};
const Composite nanquantile_body{"nanquantile", Quantile<true>};
const Composite nanquantile_scalar_body{"nanquantile.scalar", QuantileOfNumber<true>};

}  // namespace
}  // namespace sy
