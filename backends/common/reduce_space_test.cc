#include "switchyard/backends/common/reduce_space.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace sy {
namespace {

constexpr int64_t kReduced[] = {0, 2};

TEST(ReduceSpaceTest, NoDimensionMeansAll) {
  EXPECT_EQ(DimMask(std::nullopt), kAllDims);
  EXPECT_EQ(DimMask(IntSpan()), kAllDims);
  EXPECT_EQ(DimMask(IntSpan(kReduced)), 5u);
  EXPECT_EQ(DimMask(3), 8u);
}

// What each output reduces, as self's elements by their positions.
std::map<int64_t, std::map<int64_t, int64_t>> WhatMeets(const ReduceSpace& space) {
  const IndexSpace kept = space.Kept(), reduced = space.Reduced();
  const auto offset = [](const IndexSpace& part, int64_t i, int k) {
    int64_t at = 0;
    for (int d = 0; d < part.rank; i /= part.sizes[d++])
      at += i % part.sizes[d] * part.operands[k].strides[d];
    return at;
  };
  std::map<int64_t, std::map<int64_t, int64_t>> all;
  for (int64_t i = 0; i < kept.numel(); ++i) {
    for (int64_t j = 0; j < reduced.numel(); ++j) {
      EXPECT_EQ(offset(reduced, j, 1), 0);
      all[offset(kept, i, 1) / 4][offset(reduced, j, 2)] =
          (offset(kept, i, 0) + offset(reduced, j, 0)) / 4;
    }
  }
  return all;
}

TEST(ReduceSpaceTest, EveryOutputMeetsItsElementsByTheirPositions) {
  const int64_t sizes[] = {2, 3, 4, 1}, strides[] = {1, 8, 2, 50};
  const Tensor self = Tensor::EmptyStrided(sizes, strides, DType::kFloat32);
  for (const bool keepdim : {false, true}) {
    const Tensor out = keepdim ? Tensor::Empty({1, 3, 1, 1}, DType::kFloat32)
                               : Tensor::Empty({3, 1}, DType::kFloat32);
    const Tensor* const outputs[] = {&out};
    const ReduceSpace space(self, DimMask(IntSpan(kReduced)), outputs, /*positions=*/true);
    const auto meets = WhatMeets(space);
    ASSERT_EQ(meets.size(), 3u);
    for (int64_t i = 0; i < 3; ++i) {
      ASSERT_EQ(meets.at(i).size(), 8u);
      for (int64_t j = 0; j < 8; ++j) EXPECT_EQ(meets.at(i).at(j), 8 * i + j / 4 + j % 4 * 2);
    }
  }
}

TEST(ReduceSpaceTest, EitherPartHasADimension) {
  const Tensor self = Tensor::Empty({5}, DType::kFloat32), out = Tensor::Empty({}, DType::kFloat32);
  const Tensor* const outputs[] = {nullptr, &out};
  const ReduceSpace all(self, kAllDims, outputs, false);
  EXPECT_EQ(all.kept, 1);
  EXPECT_EQ(all.rank, 2);
  EXPECT_EQ(all.Kept().numel(), 1);
  EXPECT_EQ(all.Reduced().sizes[0], 5);
  const Tensor* const same[] = {&self};
  const ReduceSpace none(self, 0, same, false);
  EXPECT_EQ(none.Kept().sizes[0], 5);
  EXPECT_EQ(none.Reduced().numel(), 1);
}

// Neighbours merge without positions, which go in row-major order.
TEST(ReduceSpaceTest, PositionsKeepTransposedDimensionsApart) {
  const int64_t sizes[] = {3, 4}, strides[] = {1, 3};
  const Tensor self = Tensor::EmptyStrided(sizes, strides, DType::kFloat32),
               out = Tensor::Empty({}, DType::kFloat32);
  const Tensor* const outputs[] = {&out};
  EXPECT_EQ(ReduceSpace(self, kAllDims, outputs, false).Reduced().rank, 1);
  EXPECT_EQ(ReduceSpace(self, kAllDims, outputs, true).Reduced().rank, 2);
}

}  // namespace
}  // namespace sy
