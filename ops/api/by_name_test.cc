// Calls by string as Python would write them, and what errors of composites say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "switchyard/core/testing.h"
#include "switchyard/switchyard.h"

namespace sy {
namespace {

using ::testing::StartsWith;

TEST(ByNameTest, ToTakesADeviceWhereverItsDTypeWouldStand) {
  const Tensor x = ones({2, 3});
  EXPECT_EQ(call("to", x, Device("meta")).tensor().device(), "meta");
  EXPECT_EQ(call("to", x, "meta").tensor().device(), "meta");
  EXPECT_EQ(call("to", x, DType::kInt8).tensor().dtype(), DType::kInt8);
  EXPECT_EQ(call("to", x, "meta", "int8").tensor().dtype(), DType::kInt8);
}

TEST(ByNameTest, SizesAreIntegersInARowOrBraces) {
  const std::vector<int64_t> sizes = {2, 3};
  EXPECT_TRUE(call("rand", 2, 3).tensor().sizes() == sizes);
  EXPECT_TRUE(call("zeros", {2, 3}, "meta").tensor().sizes() == sizes);
  EXPECT_EQ(call("zeros", 3).tensor().dim(), 1);
  const Tensor x = ones({3, 2});
  EXPECT_TRUE(call("view", x, 2, 3).tensor().sizes() == sizes);
  EXPECT_TRUE(call("permute", x, 1, 0).tensor().sizes() == sizes);
  EXPECT_TRUE(call("squeeze", ones({1, 2, 3}), 0).tensor().sizes() == sizes);
  EXPECT_EQ(call("split", x, 2)[0].value().len, 2u);  // pieces of two rows, not of sizes {2}
}

TEST(ByNameTest, WhatIsNamedByTensorsMayBeAnArgument) {
  const Tensor x = reshape(arange(6), {2, 3});
  const Tensor y = call("add", x(kAll, tensor({0, 2})), call("mul", x(0, 0), 2));
  EXPECT_TRUE(equal(y, tensor({{0, 2}, {3, 5}})));
}

TEST(ByNameTest, ErrorsOfCompositesBeginWithTheOperatorThatWasCalled) {
  EXPECT_THAT(MessageOf([] { linear(ones({2, 2}), ones({3, 3})); }), StartsWith("linear(): "));
  EXPECT_THAT(MessageOf([] { matmul(ones({2, 2}), ones({3})); }), StartsWith("matmul(): "));
  EXPECT_THAT(MessageOf([] { call("matmul", ones({2, 2}), ones({3})); }), StartsWith("matmul(): "));
  EXPECT_THAT(MessageOf([] { mean(tensor({1, 2})); }), StartsWith("mean(): "));
  EXPECT_THAT(MessageOf([] { transpose(ones({2}), 0, 5); }), StartsWith("transpose.int(): dim 5"));
}

}  // namespace
}  // namespace sy
