// Gradients of functions of elements: against differences, and at the edges against ATen's values.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/gradient.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
using F = std::function<Tensor(TensorList)>;

Tensor D(std::vector<double> x) { return tensor(x); }
Tensor Z(std::vector<std::complex<double>> x) { return tensor(x); }
Tensor A() { return D({0.3, 0.55, 0.8}); }
Tensor B() { return D({1.7, 0.4, 2.6}); }
Tensor Signed() { return D({-1.3, 0.45, 2.2}); }
Tensor P() { return Z({{0.3, 0.4}, {-0.6, 0.2}, {0.7, -0.5}}); }
Tensor Q() { return Z({{1.2, -0.3}, {0.4, 0.9}, {-0.8, 0.6}}); }

// First and second derivatives.
void C(const char* what, const F& f, const std::vector<Tensor>& in) {
  SCOPED_TRACE(what);
  EXPECT_NO_THROW(GradCheckTwice(f, in));
}
#define ONE(op, ...) C(#op, [](TensorList x) { return op(x[0]); }, {__VA_ARGS__})
#define TWO(op, ...) C(#op, [](TensorList x) { return op(x[0], x[1]); }, {__VA_ARGS__})

TEST(PointwiseGradients, AreRegisteredRightly) {
  EXPECT_EQ(GradientProblems(), std::vector<std::string>{});
}

TEST(PointwiseGradients, OfOneNumber) {
  for (const Tensor& x : {A(), P()}) {
    ONE(neg, x), ONE(reciprocal, x), ONE(square, x), ONE(sqrt, x), ONE(rsqrt, x), ONE(abs, x);
    ONE(sgn, x), ONE(exp, x), ONE(exp2, x), ONE(expm1, x), ONE(log, x), ONE(log2, x);
    ONE(log10, x), ONE(log1p, x), ONE(sin, x), ONE(cos, x), ONE(tan, x), ONE(sinh, x);
    ONE(cosh, x), ONE(asin, x), ONE(acos, x), ONE(atan, x), ONE(asinh, x), ONE(atanh, x);
    ONE(sinc, x), ONE(angle, x), ONE(conj_physical, x);
  }
  ONE(acosh, B() + 1), ONE(acosh, P());
  ONE(tanh, Signed()), ONE(frac, Signed()), ONE(deg2rad, A()), ONE(rad2deg, A());
  ONE(nan_to_num, Signed()), ONE(sign, Signed()), ONE(floor, Signed()), ONE(round, Signed());
  ONE(trunc, Signed());
  C("frexp", [](TensorList x) { return std::get<0>(frexp(x[0])); }, {B()});
}

TEST(PointwiseGradients, OfSpecialFunctions) {
  ONE(lgamma, B()), ONE(digamma, B()), ONE(erf, A()), ONE(erfc, A()), ONE(erfinv, A());
  ONE(special_erfcx, A()), ONE(special_entr, A()), ONE(special_ndtr, A()), ONE(special_ndtri, A());
  ONE(special_log_ndtr, Signed()), ONE(i0, Signed()), ONE(special_i0e, Signed());
  ONE(special_i1, Signed()), ONE(special_i1e, Signed());
  C("polygamma", [](TensorList x) { return polygamma(2, x[0]); }, {B()});
  C("igamma", [](TensorList x) { return igamma(B(), x[0]); }, {A()});
  C("igammac", [](TensorList x) { return igammac(B(), x[0]); }, {A()});
  C("zeta", [](TensorList x) { return special_zeta(D({2.5, 3, 4}), x[0]); }, {B()});
}

TEST(PointwiseGradients, OfTwoNumbers) {
  const auto all = [](const Tensor& x, const Tensor& y) {
    TWO(add, x, y), TWO(sub, x, y), TWO(rsub, x, y), TWO(mul, x, y), TWO(div, x, y);
    TWO(pow, x, y), TWO(float_power, x, y), TWO(logaddexp, x, y);
    C("pow", [](TensorList x) { return pow(x[0], 3); }, {x});
    C("pow", [](TensorList x) { return pow(2.5, x[0]); }, {x});
    C("add", [](TensorList x) { return add(x[0], x[1], 2.5); }, {x, y});
    C("addcmul", [](TensorList x) { return addcmul(x[0], x[1], x[0], 2); }, {x, y});
    C("addcdiv", [](TensorList x) { return addcdiv(x[0], x[0], x[1], 2); }, {x, y});
    C("lerp", [](TensorList x) { return lerp(x[0], x[1], x[0]); }, {x, y});
    C("lerp", [](TensorList x) { return lerp(x[0], x[1], 0.3); }, {x, y});
    C("where", [](TensorList x) { return where(tensor({true, false, true}), x[0], x[1]); }, {x, y});
    C("masked_fill",
      [](TensorList x) {
        return masked_fill(x[0], tensor({true, false, true}), x[1]);
      },
      {x, select(y, 0, 0)});
    // Sizes that broadcast.
    TWO(mul, unsqueeze(x, 1), y), TWO(pow, x, select(y, 0, 1));
  };
  all(A(), B());
  all(P(), Q());
  TWO(pow, D({-0.5, -2}), Z({{1, 1}, {0.5, -0.3}}));
  C("logaddexp", [](TensorList x) { return logaddexp(x[0], x[1]); },
    {D({1000, 0, 1}), D({-1000, 1000, 1})});
  TWO(logaddexp2, A(), B()), TWO(xlogy, A(), B()), TWO(special_xlog1py, A(), B());
  TWO(atan2, Signed(), B()), TWO(hypot, Signed(), B()), TWO(copysign, Signed(), B());
  TWO(maximum, A(), B()), TWO(minimum, A(), B()), TWO(fmax, A(), B()), TWO(fmin, A(), B());
  TWO(remainder, Signed(), B()), TWO(fmod, Signed(), B()), TWO(ldexp, A(), B());
  TWO(complex, A(), B()), TWO(polar, A(), B());
  C("div", [](TensorList x) { return div(x[0], x[1], "floor"); }, {Signed(), B()});
  C("clamp", [](TensorList x) { return clamp(x[0], -1, 1); }, {Signed()});
  C("clamp", [](TensorList x) { return clamp(x[0], x[1], x[2]); }, {Signed(), A(), B()});
  TWO(clamp_min, A(), B()), TWO(clamp_max, A(), B());
}

// The gradients of the sum of f, times `by`.
void Edge(const char* what, const F& f, std::vector<Tensor> in, const std::vector<Tensor>& expected,
          double by = 1) {
  SCOPED_TRACE(what);
  for (Tensor& t : in) requires_grad_(t);
  const std::vector<Tensor> y = {f(in)}, gy = {mul(ones_like(y[0]), by)};
  const std::vector<Tensor> g = grad(y, in, gy);
  ASSERT_EQ(g.size(), expected.size());
  for (size_t i = 0; i < g.size(); ++i) {
    EXPECT_TRUE(allclose(g[i], expected[i], 1e-12, 1e-14, /*equal_nan=*/true))
        << "of input " << i << ": " << g[i];
  }
}
#define EDGE(op, ...) \
  Edge(               \
      #op, [](TensorList x) { return op(x[0], x[1]); }, __VA_ARGS__)
#define EDGE1(op, ...) \
  Edge(                \
      #op, [](TensorList x) { return op(x[0]); }, __VA_ARGS__)

TEST(PointwiseGradients, EdgesOfChoices) {
  EDGE(maximum, {D({kNan, 1, 2, 1}), D({1, kNan, 2, 2})}, {D({1, 1, 0.5, 0}), D({1, 1, 0.5, 1})});
  EDGE(fmax, {D({kNan, 1, 2, kNan}), D({1, kNan, 2, kNan})}, {D({0, 1, 1, 1}), D({1, 0, 0, 0})});
  EDGE(maximum, {D({1, 2}), D({2, 2})}, {D({0, kInf}), D({kInf, kInf})}, kInf);
  Edge("clamp", [](TensorList x) { return clamp(x[0], x[1], x[2]); },
       {D({kNan, 1, 1, 1}), D({0, kNan, 3, 0}), D({2, 2, 2, kNan})},
       {D({0, 0, 0, 0}), D({0, 0, 0, 0}), D({0, 0, 1, 0})});
  Edge("clamp", [](TensorList x) { return clamp(x[0], 0, 2); }, {D({kNan, 0, 2})}, {D({0, 1, 1})});
  EDGE1(nan_to_num, {D({kNan, kInf, 1})}, {D({kNan, kNan, kInf})}, kInf);
  EDGE1(abs, {D({0, -2})}, {D({0, -1})});
  EDGE(copysign, {D({0, -0., kNan, 2}), D({1, -1, 1, -3})}, {D({0, 0, kNan, -1}), D({0, 0, 0, 0})});
}

TEST(PointwiseGradients, EdgesOfPowersAndLogarithms) {
  EDGE(pow, {D({0, 0, 0, -1, 2}), D({0, 1, -1, 2, 0})},
       {D({0, 1, -kInf, -2, 0}), D({0, 0, -kInf, kNan, std::log(2.)})});
  EDGE(pow, {D({0, 0, 2}), D({0, 1, 0})}, {D({0, kInf, 0}), D({kNan, kNan, kInf})}, kInf);
  Edge("pow", [](TensorList x) { return pow(0, x[0]); }, {D({0, 1, -1})}, {D({0, 0, -kInf})});
  Edge("pow", [](TensorList x) { return pow(x[0], 0); }, {D({0, 1})}, {D({0, 0})});
  EDGE(logaddexp, {D({kInf, -kInf, 1, -kInf, 1000}), D({1, 1, kInf, -kInf, -1000})},
       {D({1, 0, 0, kNan, 1}), D({0, 1, 1, kNan, 0})});
  EDGE(logaddexp2, {D({kInf, -kInf, 1, -kInf}), D({1, 1, kInf, -kInf})},
       {D({1, 0, 0, kNan}), D({0, 1, 1, kNan})});
  EDGE(xlogy, {D({1, 0, 0, 0}), D({0, 0, -1, kNan})},
       {D({-kInf, 0, 0, kNan}), D({kInf, kNan, 0, kNan})});
  EDGE(xlogy, {D({1, 0}), D({0, 0})}, {D({0, 0}), D({kNan, kNan})}, 0);
  EDGE(special_xlog1py, {D({1, 0}), D({-1, -1})}, {D({0, 0}), D({kNan, kNan})}, 0);
  EDGE1(rsqrt, {D({0, kInf})}, {D({-kInf, 0})});
  EDGE1(sinc, {D({0, 1e-170, 0.5})}, {D({0, 0, -4 / M_PI})});
  EDGE(atan2, {D({0, 1e-170}), D({0, 1e-170})}, {D({0, 0}), D({0, 0})});
  EDGE1(special_i1, {D({0, 1e-310, 1e-20})}, {D({0.5, 0.5, 0.5})});
  EDGE1(special_i1e, {D({0, 1e-310, 1e-20, -1e-20})}, {D({0.5, 0.5, 0.5, 0.5})});
  EDGE1(special_entr, {D({0, -1, kInf})}, {D({kInf, kNan, -kInf})});
  EDGE1(sgn, {Z({0, {3, 4}})}, {Z({0, {0.128, -0.096}})}, 1);
  EDGE1(angle, {Z({0, {3, 4}})}, {Z({0, {-0.16, 0.12}})});
}

TEST(PointwiseGradients, WithoutGradients) {
  Tensor x = A();
  requires_grad_(x);
  EXPECT_FALSE(requires_grad(special_bessel_j0(x)));
  EXPECT_FALSE(requires_grad(special_legendre_polynomial_p(x, 2)));
  EXPECT_FALSE(requires_grad(lt(x, 2)));
  EXPECT_TRUE(requires_grad(sign(x)));
  // Not known: told where they are wanted.
  for (const Tensor& y : {igamma(x, B()), igammac(x, B()), special_zeta(add(x, 1), B()),
                          heaviside(x, B()), nextafter(x, B()), floor_divide(x, B())}) {
    EXPECT_TRUE(requires_grad(y));
    EXPECT_THROW(backward(sum(y)), Error);
  }
}

}  // namespace
}  // namespace sy
