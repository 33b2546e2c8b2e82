// Least squares by Householder's reflections or by singular values.

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "ops/checks.h"
#include "ops/linalg/tolerance_composite.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

enum class Driver { kGels, kGelsy, kGelsd, kGelss };

Driver DriverOf(Call call, const Tensor& self, std::optional<std::string_view> name) {
  if (!name) return self.is_host() ? Driver::kGelsy : Driver::kGels;
  constexpr std::string_view kNames[] = {"gels", "gelsy", "gelsd", "gelss"};
  for (size_t i = 0; i < 4; ++i) {
    if (*name == kNames[i]) return static_cast<Driver>(i);
  }
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"driver must be 'gels', 'gelsy', 'gelsd' or 'gelss', got '", *name, "'"});
}

// a: [.., m, n] of full rank, b: [.., m, k]   →   [.., n, k], by Householder's reflections.
// Source: LAPACK's documentation of ?gels.
Tensor SolveFullRank(const Tensor& a, const Tensor& b) {
  const int64_t m = a.size(-2), n = a.size(-1);
  if (m >= n) {
    const auto [reflected, tau] = geqrf(a);
    const Tensor c = ormqr(reflected, tau, b, true, true);
    return linalg_solve_triangular(narrow(reflected, -2, 0, n), narrow(c, -2, 0, n), true);
  }
  const auto [reflected, tau] = geqrf(mH(a));
  const Tensor y = linalg_solve_triangular(mH(narrow(reflected, -2, 0, m)), b, false);
  std::vector<int64_t> rest(b.sizes().begin(), b.sizes().end());
  rest[rest.size() - 2] = n - m;
  return ormqr(reflected, tau, cat(std::vector<Tensor>{y, new_zeros(b, rest)}, -2));
}

// t in memory by columns of as many rows as A's larger side has: LAPACK's, in which B becomes X.
Tensor AsInLapack(const Tensor& t, int64_t rows) {
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end());
  sizes[sizes.size() - 1] = rows;
  sizes[sizes.size() - 2] = t.size(-1);
  const Tensor place =
      narrow(mT(empty(sizes, t.dtype(), std::nullopt, t.device())), -2, 0, t.size(-2));
  copy_(place, t);
  return place;
}

std::tuple<Tensor, Tensor, Tensor, Tensor> Lstsq(Call call, const Tensor& self, const Tensor& b,
                                                 Optional<double> rcond,
                                                 std::optional<std::string_view> driver_name) {
  RequireMatrices(call.op(), self, "self");
  const bool vector =
      b.dim() == self.dim() - 1 &&
      (b.dim() == 1 || SameSizes(b.sizes(), self.sizes().first(self.sizes().size() - 1)));
  const Tensor right = vector ? unsqueeze(b, -1) : b;
  if (right.dim() != self.dim() || right.size(-2) != self.size(-2) ||
      right.dtype() != self.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"b must have as many rows as self, and its batch and dtype, got ", Describe(b), " and ",
          Describe(self)});
  }
  const Driver driver = DriverOf(call, self, driver_name);
  const std::vector<int64_t> batch = CommonBatch(call.op(), self, right);
  const auto expanded = [&](const Tensor& t) {
    std::vector<int64_t> sizes = batch;
    sizes.insert(sizes.end(), {t.size(-2), t.size(-1)});
    return expand(t, sizes);
  };
  const Tensor a = expanded(self), y = expanded(right);
  const int64_t m = a.size(-2), n = a.size(-1), k = std::min(m, n);
  const auto nothing = [&](DType d) { return empty({0}, d, std::nullopt, self.device()); };
  Tensor x, rank = nothing(DType::kInt64), values = nothing(RealType(self.dtype()));
  bool full_rank = true;
  if (driver == Driver::kGels && k > 0) {
    x = SolveFullRank(a, y);
  } else {
    const auto [u, s, vh] = linalg_svd(a, false);
    const double least = rcond.value_or(DefaultRtol(a));
    const Tensor counts = k == 0 ? gt(s, 0) : gt(s, mul(narrow(s, -1, 0, 1), least));
    const Tensor inverse = where(counts, reciprocal(s), Scalar(0));
    x = matmul(mH(vh), mul(unsqueeze(inverse, -1), matmul(mH(u), y)));
    if (driver != Driver::kGels) rank = sum(counts, -1);
    if (driver == Driver::kGelsd || driver == Driver::kGelss) values = s;
    full_rank = !HasData(a) || driver == Driver::kGels || item(all(eq(rank, n))).To<bool>();
  }
  const bool has_residuals = m > n && full_rank && driver != Driver::kGelsy;
  const Tensor residuals =
      has_residuals ? sum(square(abs(sub(matmul(a, x), y))), -2) : nothing(RealType(a.dtype()));
  x = AsInLapack(x, std::max(m, n));
  return {vector ? squeeze(x, -1) : x, residuals, rank, values};
}
const Composite lstsq_body{"linalg_lstsq", Lstsq};

}  // namespace
}  // namespace sy
