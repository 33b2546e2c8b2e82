#include "switchyard/core/shape.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"

namespace sy {
namespace {

using Ints = std::vector<int64_t>;

Ints Broadcasted(const Ints& a, const Ints& b) {
  std::array<int64_t, kMaxRank> out;
  const int rank = Broadcast(a, b, out.data(), "test");
  return Ints(out.begin(), out.begin() + rank);
}

TEST(ShapeTest, BroadcastingRepeatsSizesOfOneFromTheLastDimensionOn) {
  EXPECT_EQ(Broadcasted({2, 3}, {3}), (Ints{2, 3}));
  EXPECT_EQ(Broadcasted({4, 1, 2}, {3, 1}), (Ints{4, 3, 2}));
  EXPECT_EQ(Broadcasted({}, {2}), (Ints{2}));
  EXPECT_EQ(Broadcasted({0}, {1}), (Ints{0}));
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

Ints Inferred(const Ints& sizes, int64_t numel) {
  Ints out(sizes.size());
  InferSize(sizes, numel, out.data(), "view");
  return out;
}

TEST(ShapeTest, OneSizeIsInferred) {
  EXPECT_EQ(Inferred({-1, 3}, 6), (Ints{2, 3}));
  EXPECT_EQ(Inferred({2, 0}, 0), (Ints{2, 0}));
  EXPECT_EQ(Inferred({-1, 2}, 0), (Ints{0, 2}));
}

TEST(ShapeTest, SizesThatCannotBeInferredAreErrors) {
  EXPECT_THROW(Inferred({-1, -1}, 6), Error);
  EXPECT_THROW(Inferred({-1, 4}, 6), Error);
  EXPECT_THROW(Inferred({-1, 0}, 0), Error);
  EXPECT_THROW(Inferred({-2, 3}, 6), Error);
  EXPECT_THROW(Inferred({int64_t{1} << 40, int64_t{1} << 40}, 6), Error);
}

TEST(ShapeTest, ViewsExistWhereMemoryAllows) {
  Ints out(3);
  EXPECT_TRUE(ViewStrides(Ints{2, 3, 4}, Ints{12, 4, 1}, 24, Ints{6, 4}, out.data()));
  EXPECT_EQ((Ints{out[0], out[1]}), (Ints{4, 1}));
  EXPECT_FALSE(ViewStrides(Ints{3, 2}, Ints{1, 3}, 6, Ints{6}, out.data()));
  EXPECT_TRUE(ViewStrides(Ints{3, 2}, Ints{1, 3}, 6, Ints{3, 1, 2}, out.data()));
}

TEST(ShapeTest, DenseMeansNoGapsInAnyOrder) {
  EXPECT_TRUE(IsNonOverlappingAndDense(Ints{2, 3}, Ints{1, 2}));
  EXPECT_TRUE(IsNonOverlappingAndDense(Ints{2, 1, 3}, Ints{3, 77, 1}));
  EXPECT_FALSE(IsNonOverlappingAndDense(Ints{2, 3}, Ints{4, 1}));
  EXPECT_FALSE(IsNonOverlappingAndDense(Ints{2, 3}, Ints{0, 1}));
  EXPECT_TRUE(IsNonOverlappingAndDense(Ints{2, 0}, Ints{9, 9}));
}

TEST(ShapeTest, PreservedStridesKeepTheOrderOfDimensionsWithoutGaps) {
  Ints out(2);
  PreservedStrides(Ints{3, 2}, Ints{2, 12}, out.data());
  EXPECT_EQ(out, (Ints{1, 3}));
  PreservedStrides(Ints{3, 2}, Ints{10, 2}, out.data());
  EXPECT_EQ(out, (Ints{2, 1}));
}

TEST(ShapeTest, ExtentsThatOverflowAreErrors) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_THROW(StorageExtent(Ints{big, big}, Ints{big, 1}), Error);
  EXPECT_THROW(NumElements(Ints{big, big}), Error);
  EXPECT_THROW(StorageExtent(Ints{2}, Ints{INT64_MAX}), Error);
  EXPECT_EQ(StorageExtent(Ints{2}, Ints{INT64_MAX - 1}), INT64_MAX);
  EXPECT_EQ(NumElements(Ints{big, 2, 0}), 0);
  EXPECT_THROW(StorageExtent(Ints{2}, Ints{-1}), Error);
  EXPECT_EQ(StorageExtent(Ints{0, 5}, Ints{INT64_MAX, 1}), 0);
  EXPECT_THROW(StorageExtent(Ints{0, 5}, Ints{1, INT64_MAX}), Error);
  EXPECT_THROW(StorageExtent(Ints{0, 2}, Ints{1, INT64_MAX / 8}), Error);  // in bytes
}

TEST(ShapeTest, SizesOfAnEmptyTensorMultiplyToANumberToo) {
  const int64_t big = int64_t{1} << 40;
  EXPECT_THROW(NumElements(Ints{0, big, big}), Error);
  EXPECT_THROW(NumElements(Ints{big, big, 0}), Error);
}

TEST(ShapeTest, ADimensionNamedTwiceIsAnError) {
  const Ints twice = {0, -2};
  EXPECT_THROW(DimMask(IntSpan(twice), 2, "sum"), Error);
}

}  // namespace
}  // namespace sy
