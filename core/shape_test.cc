#include "switchyard/core/shape.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"

namespace sy {
namespace {

using Sizes = std::vector<int64_t>;

Sizes Broadcasted(const Sizes& a, const Sizes& b) {
  std::array<int64_t, kMaxRank> out;
  const int rank = Broadcast(a, b, out.data(), "test");
  return Sizes(out.begin(), out.begin() + rank);
}

TEST(ShapeTest, BroadcastingRepeatsSizesOfOneFromTheLastDimensionOn) {
  EXPECT_EQ(Broadcasted({2, 3}, {3}), (Sizes{2, 3}));
  EXPECT_EQ(Broadcasted({4, 1, 2}, {3, 1}), (Sizes{4, 3, 2}));
  EXPECT_EQ(Broadcasted({}, {2}), (Sizes{2}));
  EXPECT_EQ(Broadcasted({0}, {1}), (Sizes{0}));
}

TEST(ShapeTest, BroadcastingErrorsNameBothSizes) {
  try {
    Broadcasted({2, 3}, {2, 4});
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_NE(e.message().find("[2, 3]"), std::string::npos);
    EXPECT_NE(e.message().find("[2, 4]"), std::string::npos);
  }
}

TEST(ShapeTest, DimensionsWrapAroundAndZeroDimCountsAsOne) {
  EXPECT_EQ(WrapDim(-1, 3), 2);
  EXPECT_EQ(WrapDim(-1, 0), 0);
  EXPECT_THROW(WrapDim(3, 3), Error);
  EXPECT_THROW(WrapDim(-2, 0), Error);
}

Sizes Inferred(const Sizes& sizes, int64_t numel) {
  Sizes out(sizes.size());
  InferSize(sizes, numel, out.data(), "view");
  return out;
}

TEST(ShapeTest, OneSizeIsInferred) {
  EXPECT_EQ(Inferred({-1, 3}, 6), (Sizes{2, 3}));
  EXPECT_EQ(Inferred({2, 0}, 0), (Sizes{2, 0}));
  EXPECT_EQ(Inferred({-1, 2}, 0), (Sizes{0, 2}));
}

TEST(ShapeTest, SizesThatCannotBeInferredAreErrors) {
  EXPECT_THROW(Inferred({-1, -1}, 6), Error);
  EXPECT_THROW(Inferred({-1, 4}, 6), Error);
  EXPECT_THROW(Inferred({-1, 0}, 0), Error);
  EXPECT_THROW(Inferred({-2, 3}, 6), Error);
  EXPECT_THROW(Inferred({int64_t{1} << 40, int64_t{1} << 40}, 6), Error);
}

TEST(ShapeTest, ViewsExistWhereMemoryAllows) {
  Sizes out(3);
  EXPECT_TRUE(ViewStrides(Sizes{2, 3, 4}, Sizes{12, 4, 1}, 24, Sizes{6, 4}, out.data()));
  EXPECT_EQ((Sizes{out[0], out[1]}), (Sizes{4, 1}));
  EXPECT_FALSE(ViewStrides(Sizes{3, 2}, Sizes{1, 3}, 6, Sizes{6}, out.data()));
  EXPECT_TRUE(ViewStrides(Sizes{3, 2}, Sizes{1, 3}, 6, Sizes{3, 1, 2}, out.data()));
}

TEST(ShapeTest, DenseMeansNoGapsInAnyOrder) {
  EXPECT_TRUE(IsNonOverlappingAndDense(Sizes{2, 3}, Sizes{1, 2}));
  EXPECT_TRUE(IsNonOverlappingAndDense(Sizes{2, 1, 3}, Sizes{3, 77, 1}));
  EXPECT_FALSE(IsNonOverlappingAndDense(Sizes{2, 3}, Sizes{4, 1}));
  EXPECT_FALSE(IsNonOverlappingAndDense(Sizes{2, 3}, Sizes{0, 1}));
  EXPECT_TRUE(IsNonOverlappingAndDense(Sizes{2, 0}, Sizes{9, 9}));
}

TEST(ShapeTest, PreservedStridesKeepTheOrderOfDimensionsWithoutGaps) {
  Sizes out(2);
  PreservedStrides(Sizes{3, 2}, Sizes{2, 12}, out.data());
  EXPECT_EQ(out, (Sizes{1, 3}));
  PreservedStrides(Sizes{3, 2}, Sizes{10, 2}, out.data());
  EXPECT_EQ(out, (Sizes{2, 1}));
}

TEST(ShapeTest, ExtentsThatOverflowAreErrors) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_THROW(StorageExtent(Sizes{big, big}, Sizes{big, 1}), Error);
  EXPECT_THROW(NumElements(Sizes{big, big}), Error);
  EXPECT_THROW(StorageExtent(Sizes{2}, Sizes{INT64_MAX}), Error);
  EXPECT_EQ(StorageExtent(Sizes{2}, Sizes{INT64_MAX - 1}), INT64_MAX);
  EXPECT_EQ(NumElements(Sizes{big, 2, 0}), 0);
  EXPECT_THROW(StorageExtent(Sizes{2}, Sizes{-1}), Error);
  EXPECT_EQ(StorageExtent(Sizes{0, 5}, Sizes{INT64_MAX, 1}), 0);
  EXPECT_THROW(StorageExtent(Sizes{0, 5}, Sizes{1, INT64_MAX}), Error);
  EXPECT_THROW(StorageExtent(Sizes{0, 2}, Sizes{1, INT64_MAX / 8}), Error);  // in bytes
}

TEST(ShapeTest, SizesOfAnEmptyTensorMultiplyToANumberToo) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_THROW(NumElements(Sizes{0, big, big}), Error);
  EXPECT_THROW(NumElements(Sizes{big, big, 0}), Error);
}

TEST(ShapeTest, ADimensionNamedTwiceIsAnError) {
  const Sizes twice = {0, -2};
  EXPECT_THROW(DimMask(IntSpan(twice), 2, "sum"), Error);
}

}  // namespace
}  // namespace sy
