// Vandermonde's matrices by products along rows.

#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Vander(Call call, const Tensor& x, Optional<int64_t> columns) {
  if (x.dtype() == DType::kBool)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"x must be numbers, got bool"});
  const Tensor numbers = x.dim() == 0 ? unsqueeze(x, 0) : x;
  const int64_t n = columns.value_or(numbers.size(-1));
  if (n < 2) Fail(ErrorCode::kInvalidArgument, call.op(), {"N must be above 1, got ", n});
  std::vector<int64_t> sizes(numbers.sizes().begin(), numbers.sizes().end());
  sizes.push_back(n - 1);
  const Tensor powers = cumprod(expand(unsqueeze(numbers, -1), sizes), -1);
  sizes.back() = 1;
  return cat(std::vector<Tensor>{new_ones(powers, sizes), powers}, -1);
}
const Composite linalg_vander_body{"linalg_vander", Vander};
// Source: ATen vander, as NumPy's: the powers fall unless `increasing`, integers become int64.
Tensor VanderOfVector(Call call, const Tensor& x, Optional<int64_t> columns, bool increasing) {
  if (x.dim() != 1)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"x must be 1-d, got sizes ", x.sizes()});
  const int64_t rows = x.numel(), n = columns.value_or(rows);
  if (n < 0) Fail(ErrorCode::kInvalidArgument, call.op(), {"N must not be negative, got ", n});
  const Tensor numbers = IsIntegral(x.dtype(), true) ? to(x, DType::kInt64) : x;
  if (n == 0) return new_empty(numbers, {rows, 0});
  const Tensor powers = cumprod(expand(unsqueeze(numbers, -1), {rows, n - 1}), -1);
  const Tensor all = cat(std::vector<Tensor>{new_ones(powers, {rows, 1}), powers}, -1);
  return increasing ? all : flip(all, {1});
}
const Composite vander_body{"vander", VanderOfVector};

}  // namespace
}  // namespace sy
