#include "switchyard/core/checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/core/error.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

constexpr int64_t kMost = INT64_MAX, kLeast = INT64_MIN;

TEST(CheckedTest, ProductsAndSumsThatFitAreThoseOfIntegers) {
  EXPECT_EQ(CheckedProduct("f", "n", 3, -4), -12);
  EXPECT_EQ(CheckedProduct("f", "n", int64_t{1} << 31, int64_t{1} << 31, 1), int64_t{1} << 62);
  EXPECT_EQ(CheckedProduct("f", "n", kMost, 0, 5), 0);
  EXPECT_EQ(CheckedProduct("f", "n", std::span<const int64_t>()), 1);
  EXPECT_EQ(CheckedSum("f", "n", kMost, -1, 1), kMost);
  EXPECT_EQ(CheckedSum("f", "n", kLeast, kMost), -1);
}

TEST(CheckedTest, OverflowIsAnErrorThatNamesOperatorResultAndNumbers) {
  const int64_t big = int64_t{1} << 32;
  EXPECT_EQ(ErrorOf([&] { CheckedProduct("tril_indices", "row * col", big, big); }),
            "invalid argument: tril_indices(): row * col is too large: 4294967296 * 4294967296");
  EXPECT_EQ(ErrorOf([&] { CheckedSum("cat", "the size at dim 0", kMost, 0, 1); }),
            "invalid argument: cat(): the size at dim 0 is too large: 9223372036854775807 + 0 + 1");
  const int64_t factors[] = {big, 2, big};
  EXPECT_THAT(ErrorOf([&] { CheckedProduct("f", "n", std::span<const int64_t>(factors)); }),
              testing::AllOf(testing::StartsWith("invalid argument: "),
                             testing::HasSubstr("4294967296 * 2 * 4294967296")));
  EXPECT_EQ(CodeOf([] { CheckedProduct("f", "n", kLeast, -1); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([] { CheckedSum("f", "n", kLeast, -1); }), ErrorCode::kInvalidArgument);
}

TEST(CheckedTest, TheOperatorMayBeAskedForItsName) {
  struct Asks {
    std::string_view op() const { return "asked"; }
  };
  EXPECT_THAT(ErrorOf([] { CheckedSum(Asks(), "n", kMost, 1); }),
              testing::StartsWith("invalid argument: asked()"));
}

TEST(CheckedTest, AProductThatNobodyTakesMayBeAnother) {
  EXPECT_EQ(ProductOr(3, 4, 7), 12);
  EXPECT_EQ(ProductOr(kMost, 2, 7), 7);
}

}  // namespace
}  // namespace sy
