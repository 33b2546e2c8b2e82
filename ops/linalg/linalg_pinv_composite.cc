// Pseudoinverses and ranks by singular values.

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "ops/linalg/tolerance_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

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

}  // namespace
}  // namespace sy
