// Determinants and their logarithms by L and U.

#include <optional>
#include <tuple>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/linalg/matrices.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;
using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

// 1 or -1, of dtype: whether an even number of rows was exchanged.
Tensor SignOf(const Tensor& pivots, DType dtype) {
  const Tensor own = arange(1, pivots.size(-1) + 1, DType::kInt32, std::nullopt, pivots.device());
  const Tensor odd = bitwise_and(sum(ne(pivots, own), -1), 1);
  return to(add(mul(odd, -2), 1), dtype);
}

// What is factored for a determinant: as ATen, the transpose of a real matrix that lies row by row,
// which LAPACK takes as it is.
Tensor Factored(const Tensor& a) { return a.is_contiguous() && !IsComplex(a.dtype()) ? mT(a) : a; }

Three Det(Call call, const Tensor& a) {
  RequireSquare(call.op(), a, "A");
  const auto [lu, pivots, info] = linalg_lu_factor_ex(Factored(a));
  return {mul(prod(diagonal(lu, 0, -2, -1), -1), SignOf(pivots, a.dtype())), lu, pivots};
}
Tensor DetAlone(Call call, const Tensor& a) { return std::get<0>(Det(call, a)); }
const Composite det_with_factors_body{"_linalg_det", Det};
const Composite linalg_det_body{"linalg_det", DetAlone};
const Composite det_body{"det", DetAlone};

Four Slogdet(Call call, const Tensor& a) {
  RequireSquare(call.op(), a, "A");
  const auto [lu, pivots, info] = linalg_lu_factor_ex(Factored(a));
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
