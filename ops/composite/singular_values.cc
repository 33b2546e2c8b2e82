// Pseudoinverses, ranks and least squares, by singular values.

#include <algorithm>
#include <limits>
#include <vector>

#include "ops/composite/checks.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

// The dtype's precision times the larger side.
double DefaultRtol(const Tensor& a) {
  const double precision = RealType(a.dtype()) == DType::kFloat64
                               ? std::numeric_limits<double>::epsilon()
                               : std::numeric_limits<float>::epsilon();
  return precision * static_cast<double>(std::max(a.size(-1), a.size(-2)));
}

// Undefined: not given.
struct Tolerances {
  Tensor atol, rtol;
};
Tensor Number(const Tensor& like, Optional<double> number) {
  if (!number) return {};
  return full({}, *number, DType::kFloat64, std::nullopt, like.device());
}
// Up to which number values count as 0. largest: [batch.., 1], the largest of each matrix's.
Tensor Bound(const Tensor& a, const Tolerances& given, const Tensor& largest) {
  const Tensor atol = given.atol.defined() ? given.atol : Number(a, 0);
  const Tensor rtol =
      given.rtol.defined() ? given.rtol : mul(to(le(atol, 0), DType::kFloat64), DefaultRtol(a));
  return maximum(unsqueeze(atol, -1), mul(unsqueeze(rtol, -1), largest));
}

void RequireArgument(Call call, const Tensor& self, bool hermitian) {
  if (hermitian) {
    RequireSquare(call.op(), self, "self");
  } else {
    RequireMatrices(call.op(), self, "self");
  }
}

// --- Pseudoinverse
Tensor Pinv(Call call, const Tensor& self, const Tolerances& tolerances, bool hermitian) {
  RequireArgument(call, self, hermitian);
  if (self.numel() == 0) {
    std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
    std::swap(sizes[sizes.size() - 2], sizes[sizes.size() - 1]);
    return new_zeros(self, sizes);
  }
  Tensor u, v, values, sizes;  // values may be negative
  if (hermitian) {
    std::tie(values, u) = _linalg_eigh(self);
    v = u;
    sizes = abs(values);
  } else {
    Tensor vh;
    std::tie(u, values, vh) = linalg_svd(self, false);
    v = mH(vh);
    sizes = values;
  }
  const Tensor counts = gt(sizes, Bound(self, tolerances, amax(sizes, -1, true)));
  const Tensor inverse = where(counts, reciprocal(values), Scalar(0));
  return matmul(mul(v, unsqueeze(inverse, -2)), mH(u));
}
Tensor PinvOfFloats(Call call, const Tensor& self, Optional<double> atol, Optional<double> rtol,
                    bool hermitian) {
  return Pinv(call, self, {Number(self, atol), Number(self, rtol)}, hermitian);
}
Tensor PinvOfTensors(Call call, const Tensor& self, const Tensor& atol, const Tensor& rtol,
                     bool hermitian) {
  return Pinv(call, self, {atol, rtol}, hermitian);
}
Tensor PinvOfRcond(Call call, const Tensor& self, double rcond, bool hermitian) {
  return PinvOfFloats(call, self, {}, rcond, hermitian);
}
Tensor PinvOfRcondTensor(Call call, const Tensor& self, const Tensor& rcond, bool hermitian) {
  return Pinv(call, self, {{}, rcond}, hermitian);
}
Tensor Pinverse(Call call, const Tensor& self, double rcond) {
  return PinvOfRcond(call, self, rcond, false);
}
const Composite pinv_body{"linalg_pinv", PinvOfRcond};
const Composite pinv_rcond_tensor_body{"linalg_pinv.rcond_tensor", PinvOfRcondTensor};
const Composite pinv_float_body{"linalg_pinv.atol_rtol_float", PinvOfFloats};
const Composite pinv_tensor_body{"linalg_pinv.atol_rtol_tensor", PinvOfTensors};
const Composite pinverse_body{"pinverse", Pinverse};

// --- Rank
Tensor Rank(Call call, const Tensor& self, const Tolerances& tolerances, bool hermitian) {
  RequireArgument(call, self, hermitian);
  if (self.numel() == 0) return new_zeros(self, BatchOf(self), DType::kInt64);
  const Tensor values = hermitian ? abs(linalg_eigvalsh(self)) : linalg_svdvals(self);
  return sum(gt(values, Bound(self, tolerances, amax(values, -1, true))), -1);
}
Tensor RankOfFloats(Call call, const Tensor& self, Optional<double> atol, Optional<double> rtol,
                    bool hermitian) {
  return Rank(call, self, {Number(self, atol), Number(self, rtol)}, hermitian);
}
Tensor RankOfTensors(Call call, const Tensor& self, const Tensor& atol, const Tensor& rtol,
                     bool hermitian) {
  return Rank(call, self, {atol, rtol}, hermitian);
}
Tensor RankOfTol(Call call, const Tensor& self, double tol, bool hermitian) {
  return RankOfFloats(call, self, tol, 0., hermitian);
}
Tensor RankOfTolTensor(Call call, const Tensor& self, const Tensor& tol, bool hermitian) {
  return Rank(call, self, {tol, Number(self, 0.)}, hermitian);
}
const Composite rank_body{"linalg_matrix_rank", RankOfTol};
const Composite rank_tol_tensor_body{"linalg_matrix_rank.tol_tensor", RankOfTolTensor};
const Composite rank_float_body{"linalg_matrix_rank.atol_rtol_float", RankOfFloats};
const Composite rank_tensor_body{"linalg_matrix_rank.atol_rtol_tensor", RankOfTensors};

// --- Least squares
enum class Driver { kGels, kGelsy, kGelsd, kGelss };

Driver DriverOf(Call call, const Tensor& self, std::optional<std::string_view> name) {
  if (!name) return self.is_host() ? Driver::kGelsy : Driver::kGels;
  constexpr std::string_view kNames[] = {"gels", "gelsy", "gelsd", "gelss"};
  for (size_t i = 0; i < 4; ++i) {
    if (*name == kNames[i]) return static_cast<Driver>(i);
  }
  Fail(ErrorCode::kInvalidArgument,
       {call.op(), "(): driver must be 'gels', 'gelsy', 'gelsd' or 'gelss', got '", *name, "'"});
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
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): b must have as many rows as self, and its batch and dtype, got ",
          Describe(b), " and ", Describe(self)});
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
