#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/bitwise.h"
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/formulas/narrow.h"

namespace sy::f {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A formula of two numbers, on plain ones.
template <class Op, class T>
T Of(T a, T b) {
  return Op()(Num<T>(a), Num<T>(b)).v;
}

TEST(FormulasTest, IntegersWrapAround) {
  EXPECT_EQ((Of<Add, int8_t>(127, 1)), -128);
  EXPECT_EQ((Of<Sub, int32_t>(INT32_MIN, 1)), INT32_MAX);
  EXPECT_EQ((Of<Mul, uint16_t>(65535, 65535)), 1);
  EXPECT_EQ((Of<Mul, int64_t>(INT64_MAX, 2)), -2);
  EXPECT_EQ(Neg()(Num<int16_t>(INT16_MIN)).v, INT16_MIN);
  EXPECT_EQ(Abs()(Num<int8_t>(-128)).v, -128);
}

TEST(FormulasTest, TheSmallestIntegerByMinusOneWraps) {
  EXPECT_EQ((Of<DivTrunc, int64_t>(INT64_MIN, -1)), INT64_MIN);
  EXPECT_EQ((Of<DivFloor, int8_t>(-128, -1)), -128);
}

TEST(FormulasTest, AnIntegerByZeroIsZero) {
  EXPECT_EQ((Of<DivTrunc, int32_t>(7, 0)), 0);
  EXPECT_EQ((Of<DivTrunc, uint8_t>(7, 0)), 0);
}

TEST(FormulasTest, IntegerQuotientsRoundAsTheNameSays) {
  for (int a = -20; a <= 20; ++a) {
    for (int b = -7; b <= 7; ++b) {
      if (b == 0) continue;
      EXPECT_EQ((Of<DivTrunc, int32_t>(a, b)), a / b) << a << " " << b;
      EXPECT_EQ((Of<DivFloor, int32_t>(a, b)), std::floor(double(a) / b)) << a << " " << b;
    }
  }
}

// Expected: Python's //.
TEST(FormulasTest, FloatFloorDivisionIsPythons) {
  EXPECT_EQ((Of<DivFloor, double>(7, 2)), 3);
  EXPECT_EQ((Of<DivFloor, double>(-7, 2)), -4);
  EXPECT_EQ((Of<DivFloor, double>(1, 0.1)), 9);  // 0.1 is a little more than a tenth
  EXPECT_EQ((Of<DivFloor, double>(1, -kInf)), -1);
  EXPECT_TRUE(std::signbit(Of<DivFloor, double>(-0.0, 3)));
  EXPECT_TRUE(std::isnan(Of<DivFloor, double>(kInf, 3)));
}

// Source: ATen's div_floor_floating.
TEST(FormulasTest, FloatFloorDivisionByZeroIsTheQuotient) {
  EXPECT_EQ((Of<DivFloor, double>(3, 0)), kInf);
  EXPECT_EQ((Of<DivFloor, double>(3, -0.0)), -kInf);
  EXPECT_TRUE(std::isnan(Of<DivFloor, double>(0, 0)));
}

TEST(FormulasTest, FloatFloorDivisionThatOverflowsIsInfinite) {
  EXPECT_EQ((Of<DivFloor, double>(-1e300, 1e-300)), -kInf);
}

TEST(FormulasTest, IntegerPowersWrapAndNegativeOnesVanish) {
  EXPECT_EQ((Of<Pow, int64_t>(3, 4)), 81);
  EXPECT_EQ((Of<Pow, int8_t>(2, 7)), -128);
  EXPECT_EQ((Of<Pow, int32_t>(0, 0)), 1);
  EXPECT_EQ((Of<Pow, int32_t>(2, -1)), 0);
  EXPECT_EQ((Of<Pow, int32_t>(-1, -3)), -1);
  EXPECT_EQ((Of<Pow, int32_t>(1, -3)), 1);
}

TEST(FormulasTest, MaximumAndMinimumAreNanIfEitherIs) {
  EXPECT_TRUE(std::isnan(Of<Maximum, double>(kNan, 1)));
  EXPECT_TRUE(std::isnan(Of<Maximum, double>(1, kNan)));
  EXPECT_TRUE(std::isnan(Of<Minimum, double>(kNan, 1)));
  EXPECT_TRUE(std::isnan(Of<Minimum, double>(1, kNan)));
}

TEST(FormulasTest, ClampWithBoundsInTheWrongOrderIsTheUpperOne) {
  const auto clamp = [](double a, double low, double high) {
    return Clamp()(Num<double>(a), Num<double>(low), Num<double>(high)).v;
  };
  EXPECT_EQ(clamp(0, 2, 1), 1);
  EXPECT_EQ(clamp(5, 2, 1), 1);
  EXPECT_TRUE(std::isnan(clamp(kNan, 0, 1)));
  EXPECT_TRUE(std::isnan(clamp(0.5, kNan, 1)));
  EXPECT_TRUE(std::isnan(clamp(0.5, 0, kNan)));
}

TEST(FormulasTest, NanIsEqualToNothing) {
  EXPECT_FALSE(Eq()(Num<double>(kNan), Num<double>(kNan)));
  EXPECT_TRUE(Ne()(Num<double>(kNan), Num<double>(kNan)));
  EXPECT_FALSE(Lt()(Num<double>(kNan), Num<double>(1)));
  EXPECT_FALSE(Ge()(Num<double>(kNan), Num<double>(1)));
  EXPECT_TRUE(Eq()(Num<double>(0.0), Num<double>(-0.0)));
}

TEST(FormulasTest, BoolSumsAreLogicalOr) {
  EXPECT_EQ((Of<Add::OnBool, int8_t>(1, 1)), 1);
  EXPECT_EQ((AddScaled::OnBool()(Num<int8_t>(0), Num<int8_t>(1), Num<int8_t>(0)).v), 0);
}

using C = Complex<Num<double>>;

TEST(FormulasTest, ComplexDivisionNeitherOverflowsNorVanishes) {
  const C q = Div()(C(1e300, 1e300), C(1e300, 1e300));
  EXPECT_EQ(q.re.v, 1);
  EXPECT_EQ(q.im.v, 0);
  const C small = Div()(C(1e-300, 0), C(0, 1e-300));
  EXPECT_EQ(small.re.v, 0);
  EXPECT_DOUBLE_EQ(small.im.v, -1);
}

TEST(FormulasTest, ComplexDivisionByZeroDividesTheParts) {
  const C q = Div()(C(1, -1), C(0, 0));
  EXPECT_EQ(q.re.v, kInf);
  EXPECT_EQ(q.im.v, -kInf);
}

TEST(FormulasTest, TheMagnitudeOfAComplexNumberDoesNotOverflow) {
  EXPECT_DOUBLE_EQ(Magnitude()(C(3e300, 4e300)).v, 5e300);
  EXPECT_EQ(Magnitude()(C(kNan, kInf)).v, kInf);
}

// Rounds to integers: a narrow type that is easy to follow.
struct ToInteger {
  static Num<float> Round(Num<float> v) { return std::nearbyintf(v.v); }
};

TEST(FormulasTest, NarrowNumbersRoundAfterEveryOperation) {
  using V = Narrow<ToInteger, Num<float>>;
  const V a(7.0f), b(4.0f);  // 1.75, rounded 2
  EXPECT_EQ(((a / b) * b).v.v, 8);
  EXPECT_EQ(DivTrunc()(a, b).v.v, 2);
}

}  // namespace
}  // namespace sy::f
