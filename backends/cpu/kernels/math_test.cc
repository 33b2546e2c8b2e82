// What no reference case shows of pointwise operators and reductions.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

const double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

// |y - exact| in units of the last place of a float of exact's size.
double UlpsFrom(double exact, float y) {
  if (std::isnan(exact) || std::isnan(y)) return std::isnan(exact) && std::isnan(y) ? 0 : kInf;
  const float rounded = static_cast<float>(exact);
  if (std::isinf(rounded) || rounded == 0) {
    return y == rounded && std::signbit(y) == std::signbit(rounded) ? 0 : kInf;
  }
  int exponent = 0;
  std::frexp(rounded, &exponent);
  return std::fabs(y - exact) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

// Floats of all signs, exponents and kinds of significand: every 4,099th bit pattern, and the ends.
Tensor FloatsOfEveryKind() {
  const int64_t n = (int64_t{1} << 32) / 4099 + 1;
  const Tensor x = empty({n + 4}, DType::kFloat32);
  float* p = x.data<float>();
  for (int64_t i = 0; i < n; ++i) p[i] = std::bit_cast<float>(static_cast<uint32_t>(i * 4099));
  const float ends[] = {0.0f, -0.0f, std::numeric_limits<float>::infinity(),
                        -std::numeric_limits<float>::infinity()};
  std::copy_n(ends, 4, p + n);
  return x;
}

double MostUlps(const Tensor& x, const Tensor& y, double (*exact)(double)) {
  double most = 0;
  for (int64_t i = 0; i < x.numel(); ++i)
    most = std::max(most, UlpsFrom(exact(x.data<float>()[i]), y.data<float>()[i]));
  return most;
}

// Source of the bounds: ops/formulas/float_math.h; 1 more without fused multiply-add.
TEST(MathTest, FunctionsOfFloatsAreWithinTheirBoundsOfTheExactOnes) {
  const Tensor x = FloatsOfEveryKind();
  EXPECT_LE(MostUlps(x, exp(x), std::exp), 2.1);
  EXPECT_LE(MostUlps(x, log(x), std::log), 1.9);
  EXPECT_LE(MostUlps(x, tanh(x), std::tanh), 2.6);
  EXPECT_LE(MostUlps(x, erf(x), std::erf), 2.4);
}

TEST(MathTest, SquareRootsAreRoundedToNearest) {
  const Tensor x = FloatsOfEveryKind();
  EXPECT_LE(MostUlps(x, sqrt(x), std::sqrt), 0.5);
  const Tensor all =
      empty({1 << 24}, DType::kFloat32);  // significands of both parities of exponent
  for (int64_t i = 0; i < all.numel(); ++i)
    all.data<float>()[i] = std::bit_cast<float>(static_cast<uint32_t>(0x3f800000 + i));
  EXPECT_LE(MostUlps(all, sqrt(all), std::sqrt), 0.5);
}

TEST(MathTest, RemainderByZeroLeavesIntegersAsTheyAre) {
  const Tensor x = tensor({7, -7});
  EXPECT_EQ(CodeOf([&] { remainder_(x, tensor({2, 0})); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(Text(x), "tensor([ 7, -7])");
}

TEST(MathTest, RemaindersHaveTheSignTheyAreNamedFor) {
  const Tensor a = tensor({7, -7, 7, -7}), b = tensor({3, 3, -3, -3});
  EXPECT_EQ(Text(fmod(a, b)), "tensor([ 1, -1,  1, -1])");
  EXPECT_EQ(Text(remainder(a, b)), "tensor([ 1,  2, -2, -1])");
}

TEST(MathTest, NextafterStepsInTheDTypeGiven) {
  const Tensor x = to(tensor({1., 0., -1.}), DType::kBFloat16);
  const Tensor y = nextafter(x, to(tensor({2., -1., -2.}), DType::kBFloat16));
  EXPECT_EQ(item(select(y, 0, 0)).To<double>(), 1 + 0x1p-7);
  EXPECT_EQ(item(select(y, 0, 1)).To<double>(), -0x1p-133);
  EXPECT_EQ(item(select(y, 0, 2)).To<double>(), -1 - 0x1p-7);
}

TEST(MathTest, CountsOfIntegersAreNotTheirSums) {
  EXPECT_EQ(Text(count_nonzero(tensor({-8, 0, 300}))), "tensor(2)");
}

TEST(MathTest, ParametersOfHalfPrecisionAreNotRoundedToIt) {
  // 0.1 in float16 is 0.09998.
  const Tensor x = to(tensor({-30000.}), DType::kFloat16);
  EXPECT_EQ(item(leaky_relu(x, 0.1)).To<double>(), -3000);
}

TEST(MathTest, ParametersReachEveryElementOfALargeTransposedTensor) {
  const Tensor x = transpose(full({300, 400}, -2.0), 0, 1);
  EXPECT_TRUE(equal(leaky_relu(x, 0.25), full({400, 300}, -0.5)));
  EXPECT_TRUE(equal(hardtanh(x, -1.5, 1), full({400, 300}, -1.5)));
}

TEST(MathTest, LogsumexpOfInfinitiesIsInfinite) {
  EXPECT_EQ(Text(logsumexp(tensor({kInf, 1.}), 0)), "tensor(inf)");
  EXPECT_EQ(Text(logsumexp(tensor({-kInf, -kInf}), 0)), "tensor(-inf)");
  EXPECT_EQ(Text(logsumexp(tensor({1000., 1000.}), 0)), "tensor(1000.6932)");
}

TEST(MathTest, NanIsLeftOutOfSumsThatSaySo) {
  const Tensor x = tensor({{1., kNan}, {3., 5.}});
  EXPECT_EQ(Text(nansum(x, 0)), "tensor([4., 5.])");
  EXPECT_EQ(Text(nanmean(x, 1)), "tensor([1., 4.])");
  const auto in = [](const Tensor& t, DType d) { return nansum(t, std::nullopt, false, d); };
  EXPECT_EQ(Text(in(tensor({1, 2}), DType::kInt32)), "tensor(3, dtype=torch.int32)");
  EXPECT_EQ(Text(in(empty({0}), DType::kInt8)), "tensor(0, dtype=torch.int8)");
  EXPECT_NE(ErrorOf([&] { in(x, DType::kInt32); }).find("cannot be summed in int32"),
            std::string::npos);
}

TEST(MathTest, ScaledBesselFunctionsDoNotOverflow) {
  const Tensor x = to(tensor({599., 601., 1e5}), DType::kFloat64);
  // Source: mpmath, besseli(0, x) exp(-x) to 30 digits.
  const Tensor i0e =
      to(tensor({0.016303744451, 0.0162765828279, 1.26156783798e-3}), DType::kFloat64);
  EXPECT_TRUE(allclose(special_i0e(x), i0e, 1e-10));
  EXPECT_TRUE(allclose(mul(special_i0e(x), special_scaled_modified_bessel_k0(x)),
                       reciprocal(mul(x, 2)), 1e-5));  // to the first order in 1 / x
}

TEST(MathTest, TwoResultsOfAReductionAgreeWithEachAlone) {
  const Tensor x = to(tensor({{1., 2., 4.}, {3., 3., 9.}}), DType::kFloat64);
  const int64_t row[] = {1};  // {1} by itself would be `unbiased`, as in ATen's API
  const IntSpan dim(row, 1);
  const auto [deviation, average] = std_mean(x, dim);
  EXPECT_TRUE(equal(deviation, std(x, dim)));
  EXPECT_TRUE(allclose(average, mean(x, dim)));
  const auto [least, most] = aminmax(x, 1);
  EXPECT_TRUE(equal(least, amin(x, 1)));
  EXPECT_TRUE(equal(most, amax(x, 1)));
}

TEST(MathTest, ChebyshevPolynomialsOfEveryDegreeHaveAnEnd) {
  const Tensor x = tensor({1., -1., .5}, DType::kFloat64);
  const auto near = [](const Tensor& t, const TensorLiteral& expected) {
    return allclose(t, tensor(expected, DType::kFloat64), 1e-10, 1e-10);
  };
  EXPECT_TRUE(near(special_chebyshev_polynomial_t(x, 1000), {1, 1, -.5}));
  EXPECT_TRUE(near(special_chebyshev_polynomial_u(x, 1000), {1001, 1001, -1}));
  EXPECT_TRUE(near(special_chebyshev_polynomial_v(x, 1001), {1, -2003, 1}));
  EXPECT_TRUE(near(special_chebyshev_polynomial_w(x, 1001), {2003, -1, -1}));
  const Scalar large(int64_t{1} << 62);
  EXPECT_TRUE(near(special_chebyshev_polynomial_t(narrow(x, 0, 0, 2), large), {1, 1}));
  EXPECT_EQ(Text(special_chebyshev_polynomial_w(tensor({2., -2.}), large)), "tensor([inf, inf])");
}

TEST(MathTest, HardtanhGivesTheUpperLimitWhereItIsBelowTheLowerOne) {
  EXPECT_EQ(Text(hardtanh(tensor({0, 9}), 5, 2)), "tensor([2, 2])");
}

TEST(MathTest, AnEmptyTensorIsDividedByZero) {
  EXPECT_EQ(fmod_(zeros({0}, DType::kInt32), 0).numel(), 0);
}

TEST(MathTest, TensorsOfTheSameSizesAndNumbersAreEqualWhateverTheirDtypes) {
  EXPECT_TRUE(equal(ones({2}), ones({2}, DType::kInt64)));
  EXPECT_FALSE(equal(ones({2}), ones({3}, DType::kInt64)));
}

TEST(MathTest, AFactorOfNoProductsDoesNotCount) {
  EXPECT_TRUE(equal(addmm(ones({2, 2}), ones({2, 0}), ones({0, 2}), 2, kInf), full({2, 2}, 2.)));
}

TEST(MathTest, InnerOfA0DTensorPromotesAsAProductDoes) {
  EXPECT_EQ(Text(inner(tensor(2), tensor({1.5, 2.}))), "tensor([3., 4.])");
}

TEST(MathTest, CrossLooksForItsDimensionInSelfAlone) {
  const Tensor x = tensor({{1, 0, 0}, {0, 1, 0}}), z = tensor({{0, 0, 1}});
  EXPECT_EQ(Text(cross(x, z)), "tensor([[ 0, -1,  0],\n        [ 1,  0,  0]])");
}

}  // namespace
}  // namespace sy
