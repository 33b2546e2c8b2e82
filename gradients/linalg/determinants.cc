// Gradients of determinants: that of det is conj(det) A⁻ᴴ, that of the logarithm A⁻ᴴ. A singular
// matrix has, as in ATen, what factors with a tiny pivot give.
#include <limits>
#include <tuple>

#include "switchyard/autograd/gradient.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// c A⁻ᴴ, c a number for each matrix.
Tensor TimesInverse(const Tensor& c, const Tensor& a, const Tensor& lu, const Tensor& pivots) {
  const Tensor ones = diag_embed(ones_like(diagonal(lu, 0, -2, -1)));
  const Tensor scaled = mul(ones, unsqueeze(unsqueeze(c, -1), -1));
  // The factors have no history: what is differentiated again is made of A.
  if (autograd::MayBeFollowed()) return linalg_solve(mH(a), scaled);
  const Tensor pivot = diagonal(lu, 0, -2, -1);
  const bool narrow_type = lu.dtype() == DType::kFloat32 || lu.dtype() == DType::kComplex64;
  const double tiny = narrow_type ? double{std::numeric_limits<float>::epsilon()}
                                  : std::numeric_limits<double>::epsilon();
  const Tensor nonzero = add(lu, diag_embed(mul(to(eq(pivot, 0), lu.dtype()), tiny)));
  // Of a real matrix that lies in rows its transpose was factored.
  const bool of_transpose = a.is_contiguous() && !IsComplex(a.dtype());
  return linalg_lu_solve(nonzero, pivots, scaled, true, !of_transpose);
}

Tensor DetA(const Grad& g, Output<0> det, Output<1> lu, Output<2> pivots, const Tensor& a) {
  if (!g.defined(0)) return {};
  return TimesInverse(mul(g[0], conj(det)), a, lu, pivots);
}
const Gradient det_grad{"_linalg_det", Constant({1}), For("A", DetA)};
Tensor Det(const Tensor& a) { return std::get<0>(_linalg_det(a)); }
const Decomposition linalg_det_parts{"linalg_det", Det};
const Decomposition det_parts{"det", Det};

// d logabsdet = Re tr(A⁻¹ dA), d sign = i sign Im tr(A⁻¹ dA); of a real sign, nothing.
Tensor SlogdetA(const Grad& g, Output<0> sign, Output<2> lu, Output<3> pivots, const Tensor& a) {
  Tensor c = g[1];
  if (IsComplex(a.dtype())) {
    Tensor turn;
    if (g.defined(0)) turn = neg(imag(mul(conj(g[0]), sign)));
    if (!turn.defined() && !c.defined()) return {};
    if (!turn.defined()) turn = zeros_like(c);
    if (!c.defined()) c = zeros_like(turn);
    c = complex(c, turn);
  }
  return c.defined() ? TimesInverse(c, a, lu, pivots) : Tensor{};
}
const Gradient slogdet_grad{"_linalg_slogdet", Constant({2}), For("A", SlogdetA)};
std::tuple<Tensor, Tensor> Slogdet(const Tensor& a) {
  const auto [sign, logabsdet, lu, pivots] = _linalg_slogdet(a);
  return {sign, logabsdet};
}
const Decomposition linalg_slogdet_parts{"linalg_slogdet", Slogdet};
const Decomposition slogdet_parts{"slogdet", Slogdet};
Tensor Logdet(const Tensor& self) {
  const auto [sign, logabsdet] = Slogdet(self);
  return add(log(sign), logabsdet);
}
const Decomposition logdet_parts{"logdet", Logdet};

}  // namespace
}  // namespace sy
