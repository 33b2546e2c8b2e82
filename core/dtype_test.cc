#include "switchyard/core/dtype.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "switchyard/core/dtype_names.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

TEST(DTypeTest, EveryNameReadsBackAsItsDType) {
  std::set<std::string_view> names;
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType d = static_cast<DType>(i);
    EXPECT_EQ(FindDType(Name(d)), d);
    EXPECT_EQ(FindDType("torch." + std::string(Name(d))), d);
    names.insert(Name(d));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(kNumDTypes));
}

TEST(DTypeTest, AnUnknownNameIsAnErrorThatListsTheKnownOnes) {
  const Error e = Thrown([] { ParseDType("float31"); });
  EXPECT_EQ(e.code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(e.message().find("float31"), std::string::npos);
  EXPECT_NE(e.message().find("float32"), std::string::npos);
}

TEST(DTypeTest, AMaskIsNamedByItsDTypesInTheirOrder) {
  EXPECT_EQ(DTypeNames(Mask(DType::kFloat32, DType::kInt64, DType::kBool)), "bool, int64, float32");
  EXPECT_EQ(DTypeNames(Mask(DType::kFloat32, DType::kInt64), " "), "int64 float32");
  EXPECT_EQ(DTypeNames(0), "");
  const std::string all = DTypeNames(kAnyDType);
  EXPECT_EQ(std::count(all.begin(), all.end(), ','), kNumDTypes - 1);
}

TEST(DTypeTest, ItemSizesAreThoseOfTheCppTypes) {
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType d = static_cast<DType>(i);
    VisitDType<kAllTypes>(d, [&](auto tag) {
      using T = typename decltype(tag)::type;
      EXPECT_EQ(ItemSize(d), sizeof(T)) << Name(d);
      EXPECT_EQ(DTypeOf<T>, d);
    });
  }
}

TEST(DTypeTest, VisitingATypeThatIsNotAllowedIsAnError) {
  EXPECT_THROW(VisitDType<kFloatingTypes>(DType::kInt32, [](auto) {}), Error);
}

TEST(DTypeTest, ComplexAndRealTypesBelongTogether) {
  EXPECT_EQ(RealType(DType::kComplex128), DType::kFloat64);
  EXPECT_EQ(RealType(DType::kInt8), DType::kInt8);
  EXPECT_EQ(ComplexType(DType::kFloat16), DType::kComplex32);
  EXPECT_EQ(ComplexType(DType::kBFloat16), DType::kComplex64);
}

TEST(DTypeTest, DefaultDTypeMustBeFloating) {
  EXPECT_THROW(SetDefaultDType(DType::kInt64), Error);
  EXPECT_EQ(DefaultDType(), DType::kFloat32);
}

TEST(HalfTest, EveryHalfSurvivesTheWayThroughFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    Half h;
    h.bits = static_cast<uint16_t>(bits);
    const float f = h;
    if (std::isnan(f)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(Half(f))));
    } else {
      ASSERT_EQ(Half(f).bits, bits);
    }
  }
}

// Rounding is checked against the definition: no other half is nearer, and ties are even.
TEST(HalfTest, ConversionRoundsToTheNearestEven) {
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    Half low, high;
    low.bits = static_cast<uint16_t>(bits);
    high.bits = static_cast<uint16_t>(bits + 1);
    const double a = static_cast<float>(low);
    const double b = bits == 0x7bff ? 65536.0 : static_cast<float>(high);
    const float middle = static_cast<float>((a + b) / 2);
    EXPECT_EQ(Half(std::nextafter(middle, 0.0f)).bits, bits);
    EXPECT_EQ(Half(std::nextafter(middle, 1e9f)).bits, bits + 1);
    EXPECT_EQ(Half(middle).bits, bits % 2 == 0 ? bits : bits + 1);
    EXPECT_EQ(Half(-middle).bits, Half(middle).bits | 0x8000);
  }
}

TEST(BFloat16Test, ConversionRoundsToTheNearestEvenAndKeepsNaN) {
  EXPECT_EQ(static_cast<float>(BFloat16(1.00390625f)), 1.0f);       // a tie: down to even
  EXPECT_EQ(static_cast<float>(BFloat16(1.01171875f)), 1.015625f);  // a tie: up to even
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::nanf("")))));
  EXPECT_TRUE(std::isinf(static_cast<float>(BFloat16(3.4e38f))));
}

// Against the definitions, by the neighbours in bits: of one sign they are in the order of values.
template <class T>
class SmallFloatTest : public testing::Test {
 protected:
  using L = std::numeric_limits<T>;
  using Bits = decltype(T::bits);
  static double Next(T t, int by = 1) {
    return static_cast<float>(std::bit_cast<T>(static_cast<Bits>(t.bits + by)));
  }
};
using SmallFloats = testing::Types<Half, BFloat16, Float8E4M3FN, Float8E5M2>;
TYPED_TEST_SUITE(SmallFloatTest, SmallFloats);

TYPED_TEST(SmallFloatTest, HasLimits) {
  using T = TypeParam;
  using L = std::numeric_limits<T>;
  static_assert(L::is_specialized && L::is_signed && !L::is_integer && L::radix == 2);
  constexpr T kMax = L::max();  // constant expressions all
  constexpr T kOne(1);
  const double max = static_cast<float>(kMax), lowest = static_cast<float>(L::lowest());
  EXPECT_TRUE(std::isfinite(max));
  EXPECT_FALSE(std::isfinite(TestFixture::Next(kMax)));
  EXPECT_EQ(lowest, -max);
  EXPECT_EQ(std::ilogb(max), L::max_exponent - 1);
  EXPECT_EQ(std::floor(std::log10(max)), L::max_exponent10);
  EXPECT_EQ(TestFixture::Next(kOne) - 1, static_cast<float>(L::epsilon()));
  EXPECT_EQ(static_cast<float>(L::epsilon()), std::ldexp(1.0, 1 - L::digits));
  const double smallest = static_cast<float>(L::min()), tiny = static_cast<float>(L::denorm_min());
  EXPECT_EQ(L::denorm_min().bits, 1);
  EXPECT_EQ(std::ilogb(smallest), L::min_exponent - 1);
  EXPECT_EQ(std::ceil(std::log10(smallest)), L::min_exponent10);
  EXPECT_EQ(smallest - TestFixture::Next(L::min(), -1), tiny);  // below are multiples of it
  EXPECT_EQ(TestFixture::Next(L::min()) - smallest, tiny);
  EXPECT_TRUE(std::isnan(static_cast<float>(L::quiet_NaN())));
  EXPECT_EQ(L::has_infinity, std::isinf(static_cast<float>(L::infinity())));
  EXPECT_EQ(L::has_signaling_NaN, std::isnan(static_cast<float>(L::signaling_NaN())));
  EXPECT_EQ(static_cast<float>(L::round_error()), 0.5f);
  EXPECT_EQ(L::digits10, std::floor((L::digits - 1) * std::log10(2.0)));
  EXPECT_EQ(L::max_digits10, std::ceil(L::digits * std::log10(2.0) + 1));
}

template <class F8>
void EveryValueSurvives() {
  for (int bits = 0; bits < 256; ++bits) {
    F8 x;
    x.bits = static_cast<uint8_t>(bits);
    const float f = x;
    if (std::isnan(f)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(F8(f))));
    } else {
      EXPECT_EQ(F8(f).bits, bits);
    }
  }
}

TEST(Float8Test, EveryValueSurvivesTheWayThroughFloat) {
  EveryValueSurvives<Float8E4M3FN>();
  EveryValueSurvives<Float8E5M2>();
}

TEST(Float8Test, LimitsAreThoseOfTheFormats) {
  EXPECT_EQ(static_cast<float>(Float8E4M3FN(448.0f)), 448.0f);
  EXPECT_TRUE(std::isnan(static_cast<float>(Float8E4M3FN(1000.0f))));
  EXPECT_EQ(static_cast<float>(Float8E5M2(57344.0f)), 57344.0f);
  EXPECT_TRUE(std::isinf(static_cast<float>(Float8E5M2(1e6f))));
  EXPECT_EQ(static_cast<float>(Float8E4M3FN(0.001953125f)), 0.001953125f);  // 2^-9, the smallest
  EXPECT_EQ(static_cast<float>(Float8E4M3FN(0.0009f)), 0.0f);
}

}  // namespace
}  // namespace sy
