// Gradients of special functions.
#include <cmath>
#include <string_view>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const double kTwoOverRootPi = 2 / std::sqrt(M_PI);

Tensor LgammaSelf(const Grad& g, const Tensor& self) { return mul(g, digamma(self)); }
const Gradient lgamma_grad{"lgamma", For("self", LgammaSelf)};
Tensor DigammaSelf(const Grad& g, const Tensor& self) { return mul(g, polygamma(1, self)); }
const Gradient digamma_grad{"digamma", For("self", DigammaSelf)};
Tensor PolygammaSelf(const Grad& g, int64_t n, const Tensor& self) {
  return mul(g, polygamma(n + 1, self));
}
const Gradient polygamma_grad{"polygamma", For("self", PolygammaSelf)};

// exp(-x²) by a number.
Tensor Bell(const Tensor& x, double by) { return mul(exp(neg(mul(x, x))), by); }
Tensor ErfSelf(const Grad& g, const Tensor& self) { return mul(g, Bell(self, kTwoOverRootPi)); }
const Gradient erf_grad{"erf", For("self", ErfSelf)};
Tensor ErfcSelf(const Grad& g, const Tensor& self) { return mul(g, Bell(self, -kTwoOverRootPi)); }
const Gradient erfc_grad{"erfc", For("self", ErfcSelf)};
Tensor ErfinvSelf(const Grad& g, Output<0> y, Unsaved) {
  return mul(g, mul(exp(mul(y, y)), std::sqrt(M_PI) / 2));
}
const Gradient erfinv_grad{"erfinv", For("self", ErfinvSelf)};
Tensor ErfcxSelf(const Grad& g, Output<0> y, const Tensor& self) {
  return mul(g, sub(mul(mul(self, y), 2), kTwoOverRootPi));
}
const Gradient erfcx_grad{"special_erfcx", For("self", ErfcxSelf)};
Tensor EntrSelf(const Grad& g, const Tensor& self) { return mul(g, sub(neg(log(self)), 1)); }
const Gradient entr_grad{"special_entr", For("self", EntrSelf)};
// By erf, whose steps 16-bit numbers show: (1 + erf(x / √2)) / 2.
Tensor NdtrSelf(const Grad& g, const Tensor& self) {
  const Tensor x = div(self, M_SQRT2);
  return div(mul(Bell(x, kTwoOverRootPi), mul(g, 0.5)), M_SQRT2);
}
const Gradient ndtr_grad{"special_ndtr", For("self", NdtrSelf)};
Tensor NdtriSelf(const Grad& g, Output<0> y, Unsaved) {
  return mul(g, mul(exp(mul(mul(y, y), 0.5)), std::sqrt(2 * M_PI)));
}
const Gradient ndtri_grad{"special_ndtri", For("self", NdtriSelf)};
// By erfcx, which neither overflows nor vanishes in the tail.
Tensor LogNdtrSelf(const Grad& g, const Tensor& self) {
  return mul(g, mul(reciprocal(special_erfcx(mul(self, -M_SQRT1_2))), std::sqrt(2 / M_PI)));
}
const Gradient log_ndtr_grad{"special_log_ndtr", For("self", LogNdtrSelf)};

// --- Modified Bessel functions; I1(x)/x is a half at 0.

Tensor I0Self(const Grad& g, const Tensor& self) { return mul(g, special_i1(self)); }
const Gradient i0_grad{"i0", For("self", I0Self)};
Tensor I0eSelf(const Grad& g, Output<0> y, const Tensor& self) {
  return mul(g, sub(special_i1e(self), mul(sgn(self), y)));
}
const Gradient i0e_grad{"special_i0e", For("self", I0eSelf)};
Tensor I1Self(const Grad& g, Output<0> y, const Tensor& self) {
  const Tensor at_zero = eq(self, 0);
  const Tensor x = masked_fill(self, at_zero, 1);
  return mul(g, masked_fill(sub(i0(x), div(y, x)), at_zero, 0.5));
}
const Gradient i1_grad{"special_i1", For("self", I1Self)};
Tensor I1eSelf(const Grad& g, Output<0> y, const Tensor& self) {
  const Tensor at_zero = eq(self, 0);
  const Tensor x = masked_fill(self, at_zero, 1);
  const Tensor slope = sub(sub(special_i0e(x), mul(y, sgn(x))), div(y, x));
  return mul(g, masked_fill(slope, at_zero, 0.5));
}
const Gradient i1e_grad{"special_i1e", For("self", I1eSelf)};

// --- Of two arguments, one of which has a derivative that is known. The other's is refused.

[[noreturn]] void Refuse(std::string_view op) {
  Fail(ErrorCode::kNotImplemented, op, {"has no gradient for self"});
}
Tensor IgammaSelf(const Grad&, Unsaved, Unsaved) { Refuse("igamma"); }
Tensor IgammacSelf(const Grad&, Unsaved, Unsaved) { Refuse("igammac"); }
Tensor ZetaSelf(const Grad&, Unsaved, Unsaved) { Refuse("special_zeta"); }

// x^(a-1) exp(-x) / Γ(a)
Tensor GammaDensity(const Tensor& a, const Tensor& x) {
  return exp(sub(sub(mul(sub(a, 1), log(x)), x), lgamma(a)));
}
Tensor IgammaOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(g, GammaDensity(self, other));
}
Tensor IgammacOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(neg(g), GammaDensity(self, other));
}
const Gradient igamma_grad{"igamma", For("self", IgammaSelf), For("other", IgammaOther)};
const Gradient igammac_grad{"igammac", For("self", IgammacSelf), For("other", IgammacOther)};
Tensor ZetaOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(mul(g, neg(self)), special_zeta(add(self, 1), other));
}
const Gradient zeta_grad{"special_zeta", For("self", ZetaSelf), For("other", ZetaOther)};

// --- ATen's have no gradients, and their results require none.

const NotDifferentiable bessel{"special_bessel_j0",
                               "special_bessel_j1",
                               "special_bessel_y0",
                               "special_bessel_y1",
                               "special_modified_bessel_i0",
                               "special_modified_bessel_i1",
                               "special_modified_bessel_k0",
                               "special_modified_bessel_k1",
                               "special_scaled_modified_bessel_k0",
                               "special_scaled_modified_bessel_k1",
                               "special_spherical_bessel_j0",
                               "special_airy_ai"};
const NotDifferentiable polynomials{
    "special_chebyshev_polynomial_t",         "special_chebyshev_polynomial_u",
    "special_chebyshev_polynomial_v",         "special_chebyshev_polynomial_w",
    "special_hermite_polynomial_h",           "special_hermite_polynomial_he",
    "special_laguerre_polynomial_l",          "special_legendre_polynomial_p",
    "special_shifted_chebyshev_polynomial_t", "special_shifted_chebyshev_polynomial_u",
    "special_shifted_chebyshev_polynomial_v", "special_shifted_chebyshev_polynomial_w"};

}  // namespace
}  // namespace sy
