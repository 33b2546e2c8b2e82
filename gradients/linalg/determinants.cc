// Gradients of determinants: that of det is conj(det) A⁻ᴴ, also where A is singular; that of the
// logarithm A⁻ᴴ, of a singular matrix, as in ATen, what factors with a tiny pivot give.
#include <limits>
#include <tuple>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

double Epsilon(DType d) {
  const bool narrow_type = d == DType::kFloat32 || d == DType::kComplex64;
  return narrow_type ? double{std::numeric_limits<float>::epsilon()}
                     : std::numeric_limits<double>::epsilon();
}

Tensor Det(const Tensor& a) { return std::get<0>(_linalg_det(a)); }

// c A⁻ᴴ, c a number for each matrix.
Tensor TimesInverse(const Tensor& c, const Tensor& a, const Tensor& lu, const Tensor& pivots) {
  const Tensor ones = diag_embed(ones_like(diagonal(lu, 0, -2, -1)));
  const Tensor scaled = mul(ones, unsqueeze(unsqueeze(c, -1), -1));
  // The factors have no history: what is differentiated again is made of A.
  if (autograd::MayBeFollowed()) return linalg_solve(mH(a), scaled);
  const Tensor pivot = diagonal(lu, 0, -2, -1);
  const Tensor nonzero =
      add(lu, diag_embed(mul(to(eq(pivot, 0), lu.dtype()), Epsilon(lu.dtype()))));
  // Of a real matrix that lies in rows its transpose was factored.
  const bool of_transpose = a.is_contiguous() && !IsComplex(a.dtype());
  return linalg_lu_solve(nonzero, pivots, scaled, true, !of_transpose);
}

// Each element the product of the others of its row. s: [..., n], n > 0
Tensor ProductsOfOthers(const Tensor& s) {
  const int64_t n = s.size(-1);
  const Tensor one = ones_like(narrow(s, -1, 0, 1));
  const Tensor before = cat(std::vector<Tensor>{one, narrow(s, -1, 0, n - 1)}, -1);
  const Tensor after = cat(std::vector<Tensor>{narrow(s, -1, 1, n - 1), one}, -1);
  return mul(cumprod(before, -1), flip(cumprod(flip(after, {-1}), -1), {-1}));
}

// Of A = U S Vᴴ that is singular: conj(det A) A⁻ᴴ is conj(det U det Vᴴ) U D Vᴴ, with D the products
// of the other singular values.
// Source: Stewart, On the adjugate matrix, Linear Algebra Appl. 283, 1998.
Tensor SingularDetA(const Tensor& g, const Tensor& a) {
  const auto [u, s, vh] = linalg_svd(a, true);
  const Tensor c = mul(g, conj(mul(Det(u), Det(vh))));
  const Tensor d = mul(ProductsOfOthers(s), unsqueeze(c, -1));
  return matmul(mul(u, unsqueeze(d, -2)), vh);
}

// Which matrices are singular, as far as their factors tell; undefined where none is, or where that
// cannot be seen.
Tensor Singular(const Tensor& lu) {
  constexpr uint32_t kGradient = uint32_t{1} << kGradLayer;
  if ((LayersOfKey(lu.key()) & ~kGradient) != 0 || lu.device().type.name() == "meta") return {};
  if (lu.numel() == 0) return {};
  const Tensor pivots = abs(diagonal(lu, 0, -2, -1)), largest = amax(pivots, {-1});
  const double least = Epsilon(lu.dtype()) * static_cast<double>(lu.size(-1));
  const Tensor found = logical_and(le(amin(pivots, {-1}), mul(largest, least)), isfinite(largest));
  return item(any(found)).To<bool>() ? found : Tensor();
}

Tensor DetA(const Grad& g, Output<0> det, Output<1> lu, Output<2> pivots, const Tensor& a) {
  if (!g.defined(0)) return {};
  const Tensor c = mul(g[0], conj(det)), singular = Singular(lu);
  if (!singular.defined()) return TimesInverse(c, a, lu, pivots);
  if (a.dim() == 2) return SingularDetA(g[0], a);
  // Each half is computed of matrices that it can be computed of.
  const Tensor which = unsqueeze(unsqueeze(singular, -1), -1);
  const Tensor other =
      diag_embed(arange(1, a.size(-1) + 1, {.dtype = RealType(a.dtype()), .device = a.device()}));
  const Tensor of_singular = SingularDetA(g[0], where(which, a, to(other, a.dtype())));
  return where(which, of_singular,
               TimesInverse(masked_fill(c, singular, 0), where(which, other, a), lu, pivots));
}
const Gradient det_grad{"_linalg_det", Constant({1}), For("A", DetA)};
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
