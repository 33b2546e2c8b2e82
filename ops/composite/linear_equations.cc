// Solutions of linear equations, inverses and determinants, by factors and triangular equations.

#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;
using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

Tensor Identity(const Tensor& like) {
  return eye(like.size(-1), like.dtype(), std::nullopt, like.device());
}

// --- By Cholesky's factor
Tensor CholeskySolve(Call call, const Tensor& self, const Tensor& factor, bool upper) {
  RequireEquation(call.op(), factor, self, "input2", "self", true);
  const Tensor adjoint = mH(factor);
  const Tensor &lower = upper ? adjoint : factor, &other = upper ? factor : adjoint;
  return linalg_solve_triangular(other, linalg_solve_triangular(lower, self, false), true);
}
const Composite cholesky_solve_body{"cholesky_solve", CholeskySolve};

Tensor CholeskyInverse(Call call, const Tensor& self, bool upper) {
  RequireSquare(call.op(), self, "self");
  if (self.numel() != 0) {
    const Tensor zero = to(eq(diagonal(self, 0, -2, -1), 0), DType::kInt32);
    const Tensor first = mul(add(argmax(zero, -1), 1), amax(zero, -1));
    RequireNoDefect(call.op(), "self", Defect::kSingular, to(first, DType::kInt32));
  }
  return CholeskySolve(call, Identity(self), self, upper);
}
const Composite cholesky_inverse_body{"cholesky_inverse", CholeskyInverse};

// --- By L and U
Tensor LegacyLuSolve(Call call, const Tensor& self, const Tensor& lu, const Tensor& pivots) {
  RequireEquation(call.op(), lu, self, "LU_data", "self", true);
  return linalg_lu_solve(lu, pivots, self);
}
const Composite lu_solve_body{"lu_solve", LegacyLuSolve};

// A batch of vectors is laid out as if it were one matrix by columns: ATen's choice.
Tensor VectorsByColumns(const Tensor& t) { return t.dim() < 2 ? t : mT(contiguous(mT(t))); }

Four SolveEx(Call call, const Tensor& a, const Tensor& b, bool left, bool check_errors) {
  RequireSquare(call.op(), a, "A");
  const bool vector =
      b.dim() == 1 || (b.dim() == a.dim() - 1 &&
                       SameSizes(b.sizes(), a.sizes().first(static_cast<size_t>(b.dim()))));
  if (vector && !left) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): B must be matrices without left, got sizes ", b.sizes()});
  }
  const Tensor right = vector ? unsqueeze(b, -1) : b;
  RequireEquation(call.op(), a, right, "A", "B", left);
  CommonBatch(call.op(), a, right);
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a);
  if (check_errors) RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  const Tensor x = linalg_lu_solve(lu, pivots, right, left);
  return {vector ? VectorsByColumns(squeeze(x, -1)) : x, lu, pivots, info};
}
Two SolveWithInfo(Call call, const Tensor& a, const Tensor& b, bool left, bool check_errors) {
  const auto [x, lu, pivots, info] = SolveEx(call, a, b, left, check_errors);
  return {x, info};
}
Tensor Solve(Call call, const Tensor& a, const Tensor& b, bool left) {
  return std::get<0>(SolveEx(call, a, b, left, true));
}
const Composite solve_with_factors_body{"_linalg_solve_ex", SolveEx};
const Composite linalg_solve_ex_body{"linalg_solve_ex", SolveWithInfo};
const Composite linalg_solve_body{"linalg_solve", Solve};

Two InvEx(Call call, const Tensor& a, bool check_errors) {
  RequireSquare(call.op(), a, "A");
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a);
  if (check_errors) RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  return {linalg_lu_solve(lu, pivots, Identity(a)), info};
}
Tensor Inv(Call call, const Tensor& a) { return std::get<0>(InvEx(call, a, true)); }
const Composite linalg_inv_ex_body{"linalg_inv_ex", InvEx};
const Composite linalg_inv_body{"linalg_inv", Inv};
const Composite inverse_body{"inverse", Inv};

// --- Triangular
Two TriangularSolve(Call call, const Tensor& self, const Tensor& a, bool upper, bool transpose,
                    bool unitriangular) {
  RequireEquation(call.op(), a, self, "A", "self", true);
  std::vector<int64_t> sizes = CommonBatch(call.op(), a, self);
  sizes.insert(sizes.end(), {a.size(-2), a.size(-1)});
  const Tensor copy = mT(clone(mT(expand(a, sizes)), MemoryFormat::kContiguous));
  return {
      linalg_solve_triangular(transpose ? mT(a) : a, self, upper != transpose, true, unitriangular),
      copy};
}
const Composite triangular_solve_body{"triangular_solve", TriangularSolve};

// --- Determinants

// 1 or -1, of dtype: whether an even number of rows was exchanged.
Tensor SignOf(const Tensor& pivots, DType dtype) {
  const Tensor own = arange(1, pivots.size(-1) + 1, DType::kInt32, std::nullopt, pivots.device());
  const Tensor odd = bitwise_and(sum(ne(pivots, own), -1), 1);
  return to(add(mul(odd, -2), 1), dtype);
}

Three Det(Call call, const Tensor& a) {
  RequireSquare(call.op(), a, "A");
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a);
  return {mul(prod(diagonal(lu, 0, -2, -1), -1), SignOf(pivots, a.dtype())), lu, pivots};
}
Tensor DetAlone(Call call, const Tensor& a) { return std::get<0>(Det(call, a)); }
const Composite det_with_factors_body{"_linalg_det", Det};
const Composite linalg_det_body{"linalg_det", DetAlone};
const Composite det_body{"det", DetAlone};

Four Slogdet(Call call, const Tensor& a) {
  RequireSquare(call.op(), a, "A");
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a);
  const Tensor d = diagonal(lu, 0, -2, -1);
  return {mul(prod(sgn(d), -1), SignOf(pivots, a.dtype())), sum(log(abs(d)), -1), lu, pivots};
}
Two SlogdetAlone(Call call, const Tensor& a) {
  const auto [sign, logabsdet, lu, pivots] = Slogdet(call, a);
  return {sign, logabsdet};
}
Tensor Logdet(Call call, const Tensor& self) {
  const auto [sign, logabsdet] = SlogdetAlone(call, self);
  return add(log(sign), logabsdet);  // the logarithm of -1 is NaN, that of a phase is its angle
}
const Composite slogdet_with_factors_body{"_linalg_slogdet", Slogdet};
const Composite linalg_slogdet_body{"linalg_slogdet", SlogdetAlone};
const Composite slogdet_body{"slogdet", SlogdetAlone};
const Composite logdet_body{"logdet", Logdet};

}  // namespace
}  // namespace sy
