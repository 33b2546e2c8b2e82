// trapezoid and cumulative_trapezoid: means of neighbours times distances, added up.

#include <optional>
#include <string_view>
#include <vector>

#include "ops/checks.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireNotBool(Call call, const Tensor& t, std::string_view name) {
  if (t.dtype() == DType::kBool)
    Fail(ErrorCode::kInvalidArgument, call.op(), {name, " must not be bool"});
}
Tensor ZerosWithout(const Tensor& y, int64_t dim) {
  std::vector<int64_t> sizes(y.sizes().begin(), y.sizes().end());
  sizes.erase(sizes.begin() + dim);
  return new_zeros(y, sizes);
}
double RealDistance(Call call, const Scalar& dx) {
  if (dx.is_complex() || dx.kind() == Scalar::kBool)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"dx must be a real number, got ", dx.str()});
  return dx.To<double>();
}
// Distances of x, which lies along y's dimension dim.
Tensor Distances(Call call, const Tensor& y, const Tensor& x, int64_t dim) {
  Tensor at = x;
  if (x.dim() == 1) {
    if (x.numel() != y.size(dim)) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"x must have ", y.size(dim), " elements, y's size at dim ", dim, ", got ", x.numel()});
    }
    std::vector<int64_t> sizes(y.sizes().size(), 1);
    sizes[static_cast<size_t>(dim)] = x.numel();
    at = reshape(x, sizes);
  }
  while (at.dim() < y.dim()) at = unsqueeze(at, 0);
  return sub(slice(at, dim, 1, std::nullopt), slice(at, dim, 0, -1));
}
Tensor Neighbours(const Tensor& y, int64_t dim) {
  return add(slice(y, dim, 0, -1), slice(y, dim, 1, std::nullopt));
}

Tensor TrapezoidX(Call call, const Tensor& y, const Tensor& x, int64_t dim) {
  dim = WrapDimOf(call, dim, y);
  if (y.size(dim) == 0) return ZerosWithout(y, dim);
  RequireNotBool(call, y, "y");
  RequireNotBool(call, x, "x");
  return div(sum(mul(Neighbours(y, dim), Distances(call, y, x, dim)), dim), 2.0);
}
Tensor TrapezoidDx(Call call, const Tensor& y, const Scalar& dx, int64_t dim) {
  dim = WrapDimOf(call, dim, y);
  if (y.size(dim) == 0) return ZerosWithout(y, dim);
  RequireNotBool(call, y, "y");
  const double distance = RealDistance(call, dx);
  const Tensor ends = add(select(y, dim, 0), select(y, dim, -1));
  return mul(sub(sum(y, dim), mul(ends, 0.5)), distance);
}
Tensor TrapzDx(Call call, const Tensor& y, double dx, int64_t dim) {
  return TrapezoidDx(call, y, dx, dim);
}
const Composite trapezoid_x_body{"trapezoid.x", TrapezoidX};
const Composite trapezoid_dx_body{"trapezoid.dx", TrapezoidDx};
const Composite trapz_x_body{"trapz.x", TrapezoidX};
const Composite trapz_dx_body{"trapz.dx", TrapzDx};

Tensor CumulativeTrapezoidX(Call call, const Tensor& y, const Tensor& x, int64_t dim) {
  dim = WrapDimOf(call, dim, y);
  RequireNotBool(call, y, "y");
  RequireNotBool(call, x, "x");
  return div(cumsum(mul(Neighbours(y, dim), Distances(call, y, x, dim)), dim), 2.0);
}
Tensor CumulativeTrapezoidDx(Call call, const Tensor& y, const Scalar& dx, int64_t dim) {
  dim = WrapDimOf(call, dim, y);
  RequireNotBool(call, y, "y");
  return mul(cumsum(Neighbours(y, dim), dim), RealDistance(call, dx) / 2);
}
const Composite cumulative_trapezoid_x_body{"cumulative_trapezoid.x", CumulativeTrapezoidX};
const Composite cumulative_trapezoid_dx_body{"cumulative_trapezoid.dx", CumulativeTrapezoidDx};

}  // namespace
}  // namespace sy
