#include "switchyard/backends/common/index_space.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace sy {
namespace {

Tensor Strided(std::initializer_list<int64_t> sizes, std::initializer_list<int64_t> strides) {
  return Tensor::EmptyStrided({sizes.begin(), sizes.size()}, {strides.begin(), strides.size()},
                              DType::kFloat32);
}

TEST(IndexSpaceTest, WhatLiesAlikeIsOneDimension) {
  const Tensor t = Strided({3, 4}, {1, 3});
  IndexSpace w(t.sizes());
  w.Add(t);
  w.Add(t);
  w.Coalesce();
  EXPECT_EQ(w.rank, 1);
}

TEST(IndexSpaceTest, OneElementHasADimensionOfItsItems) {
  const Tensor t = Strided({1, 1}, {7, 9});
  IndexSpace space(t.sizes());
  space.Add(t);
  space.AddNumber();
  space.Coalesce();
  ASSERT_EQ(space.rank, 1);
  EXPECT_EQ(space.sizes[0], 1);
  EXPECT_EQ(space.operands[0].strides[0], 4);
  EXPECT_EQ(space.operands[1].strides[0], 0);
}

TEST(IndexSpaceTest, DimensionsBeforeTheRangeStayAsTheyAre) {
  const Tensor t = Strided({3, 4, 5}, {20, 5, 1});
  IndexSpace space(t.sizes());
  space.Add(t);
  space.CoalesceFrom(1);
  ASSERT_EQ(space.rank, 2);
  EXPECT_EQ(space.sizes[0], 5);
  EXPECT_EQ(space.sizes[1], 12);
}

TEST(IndexSpaceTest, WideIndicesWhereOffsetsNeedThem) {
  IndexSpace w(IntSpan(std::initializer_list<int64_t>{1 << 20, 1 << 12}));
  w.AddNumber();
  EXPECT_FALSE(w.is_narrow());
  w.sizes[0] = 1 << 10;
  EXPECT_TRUE(w.is_narrow());
}

// Whatever is coalesced, the same elements meet.
TEST(IndexSpaceTest, CoalescingKeepsWhichElementsMeet) {
  const Tensor out = Strided({2, 1, 3, 4, 5}, {60, 7, 1, 15, 3}),
               in = Strided({3, 4, 1}, {4, 1, 9}),
               third = Strided({2, 1, 1, 4, 5}, {1, 0, 0, 0, 2});
  const auto pairs = [](const IndexSpace& w) {
    std::set<std::array<int64_t, 3>> all;
    for (int64_t i = 0; i < w.numel(); ++i) {
      std::array<int64_t, 3> at{};
      for (int64_t d = 0, rest = i; d < w.rank; rest /= w.sizes[d++]) {
        for (size_t k = 0; k < 3; ++k) at[k] += rest % w.sizes[d] * w.operands[k].strides[d];
      }
      all.insert(at);
    }
    return all;
  };
  IndexSpace w(out.sizes());
  w.Add(out);
  w.Add(in);
  w.Add(third);
  const auto before = pairs(w);
  EXPECT_EQ(before.size(), 120u);
  w.Coalesce();
  EXPECT_LT(w.rank, 5);
  EXPECT_EQ(pairs(w), before);
}

}  // namespace
}  // namespace sy
