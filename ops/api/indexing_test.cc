// Subscripts, and what else members of Tensor do by operators.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

void ExpectEqual(const Tensor& a, const Tensor& b) { EXPECT_TRUE(equal(a, b)) << a << "\n" << b; }

static_assert(std::is_copy_assignable_v<Tensor> && std::is_nothrow_move_assignable_v<Tensor>);
static_assert(std::is_nothrow_move_constructible_v<Tensor> && std::is_swappable_v<Tensor>);

TEST(IndexingTest, PositionsNameViews) {
  const Tensor x = reshape(arange(6), {2, 3});
  ExpectEqual(x[1], tensor({3, 4, 5}));
  ExpectEqual(x(-1, -1), tensor(5));
  EXPECT_TRUE(x[0][1].shares_storage_with(x));
}

TEST(IndexingTest, RangesDotsAndNewAxesNameViews) {
  const Tensor x = reshape(arange(24), {2, 3, 4});
  ExpectEqual(x(0, Slice{1, 3}, -1), tensor({7, 11}));
  ExpectEqual(x(kAll, Slice{.step = 2}, 0), tensor({{0, 8}, {12, 20}}));
  ExpectEqual(x(kDots, 0), tensor({{0, 4, 8}, {12, 16, 20}}));
  EXPECT_TRUE(x(kDots, kNewAxis, -1).sizes() == (std::vector<int64_t>{2, 3, 1}));
  EXPECT_TRUE(x(kNewAxis, 0, kDots).sizes() == (std::vector<int64_t>{1, 3, 4}));
  EXPECT_TRUE(x(Slice{}, kDots).shares_storage_with(x));
}

TEST(IndexingTest, WhatAnExpressionNamesIsWritten) {
  const Tensor x = ones({2, 2}), same = x;
  x[0][1] = 561;
  ExpectEqual(same, tensor({{1., 561.}, {1., 1.}}));
  x[1] = tensor({7., 8.});
  x(kAll, 0) = 5;
  ExpectEqual(same, tensor({{5., 561.}, {5., 8.}}));
  x(kAll, 1) += x(kAll, 0);
  x[0] = x[1];
  ExpectEqual(same, tensor({{5., 13.}, {5., 13.}}));
}

TEST(IndexingTest, AVariableIsMadeToNameAnotherTensor) {
  const Tensor x = ones({2, 2});
  Tensor row = x[0];
  row = zeros({2});
  ExpectEqual(x, ones({2, 2}));
  std::vector<Tensor> list(2);
  list[0] = x;
  std::optional<Tensor> maybe;
  maybe = x;
  Tensor a, b;
  std::tie(a, b) = std::make_tuple(x, row);
  EXPECT_TRUE(a.is_same(x) && maybe->is_same(x) && list[0].is_same(x));
}

TEST(IndexingTest, TensorsNameElementsThatAreReadAsACopy) {
  const Tensor x = reshape(arange(6), {2, 3}), index = tensor({0, 2});
  const Tensor columns = x(kAll, index);
  ExpectEqual(columns, tensor({{0, 2}, {3, 5}}));
  EXPECT_FALSE(columns.shares_storage_with(x));
  ExpectEqual(sum(x[index[0]]), tensor(3));
  ExpectEqual(x(x > 3) * 2, tensor({8, 10}));
  ExpectEqual(x(1, index, kNewAxis), tensor({{3}, {5}}));
}

TEST(IndexingTest, ElementsThatTensorsNameAreWritten) {
  const Tensor x = zeros({2, 3}), index = tensor({0, 2});
  x(kAll, index) = 5;  // a number of x's dtype, whatever it was
  ExpectEqual(x, tensor({{5., 0., 5.}, {5., 0., 5.}}));
  x(kAll, index) += tensor({1., 2.});
  x(1, index) *= 2;
  ExpectEqual(x, tensor({{6., 0., 7.}, {12., 0., 14.}}));
  x(x > 10) = -1;
  x(0, index) = x(1, index);
  ExpectEqual(x, tensor({{-1., 0., -1.}, {-1., 0., -1.}}));
}

TEST(IndexingTest, ANumberThatDoesNotFitIsAnErrorAndNothingIsWritten) {
  const Tensor x = zeros({2}, DType::kUInt8);
  EXPECT_THROW(x(tensor({0})) = 300, Error);
  EXPECT_THROW(x[0] = 300, Error);
  ExpectEqual(x, zeros({2}, DType::kUInt8));
}

TEST(IndexingTest, AMaskStandsForAllItsDimensions) {
  const Tensor x = reshape(arange(12), {2, 2, 3});
  const Tensor mask = tensor({{true, false}, {false, true}});
  ExpectEqual(x(mask, 0), tensor({0, 9}));
  ExpectEqual(x(0, kDots, tensor({true, false, true})), tensor({{0, 2}, {3, 5}}));
  EXPECT_TRUE(Tensor(x(tensor(true))).sizes() == (std::vector<int64_t>{1, 2, 2, 3}));
  EXPECT_TRUE(Tensor(x(tensor(false))).sizes() == (std::vector<int64_t>{0, 2, 2, 3}));
}

TEST(IndexingTest, SubscriptsMayBeKnownAtRunTimeAlone) {
  const Tensor x = reshape(arange(6), {2, 3});
  std::vector<Subscript> where = {Slice{0, 1}};
  where.emplace_back(2);
  x(where) = 9;
  ExpectEqual(x, tensor({{0, 1, 9}, {3, 4, 5}}));
}

// Whether what a function would write of a copy is refused by the compiler.
template <class T>
concept CanAdd = requires(const T& x) {
  add_(x, 1);
};
template <class T>
concept CanAddOut = requires(const T& x, const Tensor& y) {
  add_out(x, y, y);
};
static_assert(CanAdd<Tensor> && CanAddOut<Tensor>);
static_assert(!CanAdd<Elements> && !CanAddOut<Elements>);

TEST(IndexingTest, MoreSubscriptsThanDimensionsAreAnError) {
  const Tensor x = ones({2, 3});
  EXPECT_THAT(MessageOf([&] { x(0, 0, 0); }), HasSubstr("at most 2 for sizes [2, 3]"));
  EXPECT_THAT(MessageOf([&] { x(kDots, kDots); }), HasSubstr("kDots 2 times"));
  EXPECT_THAT(MessageOf([&] { x[2]; }), HasSubstr("index 2 is out of range"));
}

TEST(IndexingTest, ATensorIsARangeOfItsRows) {
  const Tensor x = reshape(arange(6), {3, 2});
  int64_t i = 0;
  for (const Tensor& row : x) ExpectEqual(row, x[i++]);
  EXPECT_EQ(i, 3);
  EXPECT_THROW(begin(tensor(1)) == end(tensor(1)), Error);
}

TEST(IndexingTest, TheOnlyElementIsReadAsWhatIsAskedFor) {
  const Tensor x = tensor({{2.5}});
  EXPECT_EQ(x.item<double>(), 2.5);
  EXPECT_EQ(x.item().To<float>(), 2.5f);
  EXPECT_EQ(tensor(7).item<int>(), 7);
  EXPECT_EQ(tensor(7).item<long long>(), 7);
  EXPECT_EQ(x(tensor({0}), 0).item<float>(), 2.5f);
  EXPECT_THROW(tensor(300).item<uint8_t>(), Error);
  EXPECT_THROW(ones({2}).item<float>(), Error);
}

TEST(IndexingTest, ToTakesADeviceADTypeOrOptions) {
  const Tensor x = ones({2});
  EXPECT_TRUE(x.to("cpu").is_same(x));
  EXPECT_EQ(x.to(DType::kInt8).dtype(), DType::kInt8);
  EXPECT_EQ(x.to("meta").device(), "meta");
  EXPECT_EQ(Describe(x.to(Device("meta"), DType::kInt32)), "int32[2] on meta");
  EXPECT_EQ(x.to({.dtype = DType::kFloat16}).dtype(), DType::kFloat16);
  EXPECT_EQ(x.to(tensor(1)).dtype(), DType::kInt64);
  EXPECT_FALSE(x.to(kCpu, DType::kFloat32, false, /*copy=*/true).is_same(x));
}

}  // namespace
}  // namespace sy
