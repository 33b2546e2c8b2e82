// Orthogonal polynomials of degree n at x: Chebyshev's of the four kinds (t, u, v, w) on [-1, 1]
// and shifted to [0, 1], Hermite's (h of physicists, he of probabilists), Laguerre's and
// Legendre's.
//   x, n: real, sizes that broadcast; n: cut to an integer   →   common sizes; 0 where n is
//   negative. Laguerre's and Legendre's take a step for each degree, as ATen's do.
// Errors: kNotImplemented for complex numbers.
// Example: sy::special_legendre_polynomial_p(x, 3)
// Source: ATen special_chebyshev_polynomial_t and its like.
#include "switchyard/ops/formulas/polynomial.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator chebyshev_polynomial_t_op{
    "special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor", BinaryFloatOf<kRealNumbers>,
    kOut, kFormula<f::ChebyshevT>};
const Operator chebyshev_polynomial_t_n_scalar_op{
    "special_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_chebyshev_polynomial_t", BinaryFloatOf<kRealNumbers>), kOut};
const Operator chebyshev_polynomial_t_x_scalar_op{
    "special_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_chebyshev_polynomial_t", BinaryFloatOf<kRealNumbers>), kOut};

const Operator chebyshev_polynomial_u_op{
    "special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor", BinaryFloatOf<kRealNumbers>,
    kOut, kFormula<f::ChebyshevU>};
const Operator chebyshev_polynomial_u_n_scalar_op{
    "special_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_chebyshev_polynomial_u", BinaryFloatOf<kRealNumbers>), kOut};
const Operator chebyshev_polynomial_u_x_scalar_op{
    "special_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_chebyshev_polynomial_u", BinaryFloatOf<kRealNumbers>), kOut};

const Operator chebyshev_polynomial_v_op{
    "special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor", BinaryFloatOf<kRealNumbers>,
    kOut, kFormula<f::ChebyshevV>};
const Operator chebyshev_polynomial_v_n_scalar_op{
    "special_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_chebyshev_polynomial_v", BinaryFloatOf<kRealNumbers>), kOut};
const Operator chebyshev_polynomial_v_x_scalar_op{
    "special_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_chebyshev_polynomial_v", BinaryFloatOf<kRealNumbers>), kOut};

const Operator chebyshev_polynomial_w_op{
    "special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor", BinaryFloatOf<kRealNumbers>,
    kOut, kFormula<f::ChebyshevW>};
const Operator chebyshev_polynomial_w_n_scalar_op{
    "special_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_chebyshev_polynomial_w", BinaryFloatOf<kRealNumbers>), kOut};
const Operator chebyshev_polynomial_w_x_scalar_op{
    "special_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_chebyshev_polynomial_w", BinaryFloatOf<kRealNumbers>), kOut};

const Operator hermite_polynomial_h_op{"special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor",
                                       BinaryFloatOf<kRealNumbers>, kOut,
                                       kFormula<f::HermitePolynomialH>};
const Operator hermite_polynomial_h_n_scalar_op{
    "special_hermite_polynomial_h.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_hermite_polynomial_h", BinaryFloatOf<kRealNumbers>), kOut};
const Operator hermite_polynomial_h_x_scalar_op{
    "special_hermite_polynomial_h.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_hermite_polynomial_h", BinaryFloatOf<kRealNumbers>), kOut};

const Operator hermite_polynomial_he_op{
    "special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor", BinaryFloatOf<kRealNumbers>,
    kOut, kFormula<f::HermitePolynomialHe>};
const Operator hermite_polynomial_he_n_scalar_op{
    "special_hermite_polynomial_he.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_hermite_polynomial_he", BinaryFloatOf<kRealNumbers>), kOut};
const Operator hermite_polynomial_he_x_scalar_op{
    "special_hermite_polynomial_he.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_hermite_polynomial_he", BinaryFloatOf<kRealNumbers>), kOut};

const Operator laguerre_polynomial_l_op{
    "special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor", BinaryFloatOf<kRealNumbers>,
    kOut, kFormula<f::LaguerreL>};
const Operator laguerre_polynomial_l_n_scalar_op{
    "special_laguerre_polynomial_l.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_laguerre_polynomial_l", BinaryFloatOf<kRealNumbers>), kOut};
const Operator laguerre_polynomial_l_x_scalar_op{
    "special_laguerre_polynomial_l.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_laguerre_polynomial_l", BinaryFloatOf<kRealNumbers>), kOut};

const Operator legendre_polynomial_p_op{
    "special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor", BinaryFloatOf<kRealNumbers>,
    kOut, kFormula<f::LegendreP>};
const Operator legendre_polynomial_p_n_scalar_op{
    "special_legendre_polynomial_p.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_legendre_polynomial_p", BinaryFloatOf<kRealNumbers>), kOut};
const Operator legendre_polynomial_p_x_scalar_op{
    "special_legendre_polynomial_p.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_legendre_polynomial_p", BinaryFloatOf<kRealNumbers>), kOut};

const Operator shifted_chebyshev_polynomial_t_op{
    "special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor",
    BinaryFloatOf<kRealNumbers>, kOut, kFormula<f::ShiftedChebyshevT>};
const Operator shifted_chebyshev_polynomial_t_n_scalar_op{
    "special_shifted_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_shifted_chebyshev_polynomial_t", BinaryFloatOf<kRealNumbers>), kOut};
const Operator shifted_chebyshev_polynomial_t_x_scalar_op{
    "special_shifted_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_shifted_chebyshev_polynomial_t", BinaryFloatOf<kRealNumbers>), kOut};

const Operator shifted_chebyshev_polynomial_u_op{
    "special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor",
    BinaryFloatOf<kRealNumbers>, kOut, kFormula<f::ShiftedChebyshevU>};
const Operator shifted_chebyshev_polynomial_u_n_scalar_op{
    "special_shifted_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_shifted_chebyshev_polynomial_u", BinaryFloatOf<kRealNumbers>), kOut};
const Operator shifted_chebyshev_polynomial_u_x_scalar_op{
    "special_shifted_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_shifted_chebyshev_polynomial_u", BinaryFloatOf<kRealNumbers>), kOut};

const Operator shifted_chebyshev_polynomial_v_op{
    "special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor",
    BinaryFloatOf<kRealNumbers>, kOut, kFormula<f::ShiftedChebyshevV>};
const Operator shifted_chebyshev_polynomial_v_n_scalar_op{
    "special_shifted_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_shifted_chebyshev_polynomial_v", BinaryFloatOf<kRealNumbers>), kOut};
const Operator shifted_chebyshev_polynomial_v_x_scalar_op{
    "special_shifted_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_shifted_chebyshev_polynomial_v", BinaryFloatOf<kRealNumbers>), kOut};

const Operator shifted_chebyshev_polynomial_w_op{
    "special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor",
    BinaryFloatOf<kRealNumbers>, kOut, kFormula<f::ShiftedChebyshevW>};
const Operator shifted_chebyshev_polynomial_w_n_scalar_op{
    "special_shifted_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor",
    WithNumber<1>("special_shifted_chebyshev_polynomial_w", BinaryFloatOf<kRealNumbers>), kOut};
const Operator shifted_chebyshev_polynomial_w_x_scalar_op{
    "special_shifted_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor",
    WithNumber<0>("special_shifted_chebyshev_polynomial_w", BinaryFloatOf<kRealNumbers>), kOut};

}  // namespace sy
