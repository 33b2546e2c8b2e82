#include "backends/cuda/plan/layout.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace sy::cuda {
namespace {

Tensor Strided(std::initializer_list<int64_t> sizes, std::initializer_list<int64_t> strides) {
  return Tensor::EmptyStrided({sizes.begin(), sizes.size()}, {strides.begin(), strides.size()},
                              DType::kFloat32);
}

TEST(DividerTest, DividesAsTheProcessorDoes) {
  // Quotient of device/grid.h.
  const auto quotient = [](unsigned n, const Divider& d) {
    const auto high = static_cast<unsigned>(static_cast<uint64_t>(n) * d.magic >> 32);
    return (high + n) >> d.shift;
  };
  std::mt19937 random(1);
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d < 300; ++d) divisors.push_back(d);
  for (int i = 0; i < 31; ++i) {
    divisors.push_back(int64_t{1} << i);
    divisors.push_back((int64_t{1} << i) + 1);
  }
  for (int i = 0; i < 300; ++i) divisors.push_back(1 + random() % INT32_MAX);
  divisors.push_back(INT32_MAX);
  for (int64_t d : divisors) {
    const Divider divider = DividerOf(d);
    for (int i = 0; i < 300; ++i) {
      const unsigned n = random() % (1u << 31);
      ASSERT_EQ(quotient(n, divider), n / d) << n << " / " << d;
    }
    for (int64_t q : {int64_t{0}, int64_t{1}, INT32_MAX / d}) {
      for (int64_t n : {q * d - 1, q * d, q * d + d - 1}) {
        if (n < 0 || n > INT32_MAX) continue;
        ASSERT_EQ(quotient(static_cast<unsigned>(n), divider), n / d) << n << " / " << d;
      }
    }
  }
}

TEST(LayoutTest, ContiguousOperandsAreOneDimension) {
  const Tensor t = Tensor::Empty({3, 4, 5}, DType::kFloat32);
  IndexSpace w(t.sizes());
  w.Add(t);
  w.Add(t);
  w.Coalesce();
  EXPECT_EQ(w.rank, 1);
  EXPECT_EQ(w.sizes[0], 60);
  const Layout layout = ChooseLayout(w);
  EXPECT_TRUE(layout.flat);
  EXPECT_EQ(layout.each, 4);
}

TEST(LayoutTest, ARowForAllRowsIsVectorised) {
  const Tensor out = Tensor::Empty({3, 8}, DType::kFloat32),
               row = Tensor::Empty({8}, DType::kFloat32);
  IndexSpace w(out.sizes());
  w.Add(out);
  w.Add(row);
  w.Coalesce();
  ASSERT_EQ(w.rank, 2);
  EXPECT_EQ(w.operands[1].strides[1], 0);
  const Layout layout = ChooseLayout(w);
  EXPECT_FALSE(layout.flat);
  EXPECT_EQ(layout.each, 4);
  Space space{};
  FillSpace(w, layout, space);
  EXPECT_EQ(space.n, 6);
  EXPECT_EQ(space.sizes[0], 2);
  EXPECT_EQ(space.strides[0][0], 16);
}

TEST(LayoutTest, AColumnForAllColumnsIsOneElementForEachPack) {
  const Tensor out = Tensor::Empty({3, 8}, DType::kFloat32),
               column = Tensor::Empty({3, 1}, DType::kFloat32);
  IndexSpace w(out.sizes());
  w.Add(out);
  w.Add(column);
  w.Coalesce();
  const Layout layout = ChooseLayout(w);
  EXPECT_EQ(layout.stride_kinds[1], HostStrideKind::kSame);
  EXPECT_EQ(layout.each, 4);
}

TEST(LayoutTest, OddRowsAreNotVectorised) {
  const Tensor out = Tensor::Empty({3, 7}, DType::kFloat32),
               row = Tensor::Empty({7}, DType::kFloat32);
  IndexSpace w(out.sizes());
  w.Add(out);
  w.Add(row);
  w.Coalesce();
  EXPECT_EQ(ChooseLayout(w).each, 1);
}

TEST(LayoutTest, AnAddressBetweenPacksIsNotVectorised) {
  const Tensor t = Tensor::Empty({65}, DType::kFloat32);
  const int64_t size = 64, stride = 1;
  const Tensor odd = t.AsStrided({&size, 1}, {&stride, 1}, 1);
  IndexSpace w(odd.sizes());
  w.Add(odd);
  w.Coalesce();
  EXPECT_EQ(ChooseLayout(w).each, 1);
}

int TransposedDimOf(const Tensor& to, const Tensor& from) {
  IndexSpace w(to.sizes());
  w.Add(to);
  w.Add(from);
  w.Coalesce();
  return TransposedDim(w);
}

TEST(LayoutTest, ATransposedOperandIsFoundByItsDimension) {
  EXPECT_EQ(TransposedDimOf(Strided({20, 30}, {30, 1}), Strided({20, 30}, {1, 20})), 1);
  // Channels last: height and width merge.
  EXPECT_EQ(TransposedDimOf(Strided({2, 20, 20, 30}, {12000, 600, 30, 1}),
                            Strided({2, 20, 20, 30}, {12000, 20, 1, 400})),
            1);
  EXPECT_EQ(TransposedDimOf(Strided({20, 5, 30}, {150, 30, 1}), Strided({20, 5, 30}, {1, 20, 100})),
            2);
}

TEST(LayoutTest, WhatLiesAlikeOrIsNarrowIsNotTransposed) {
  EXPECT_EQ(TransposedDimOf(Strided({20, 30}, {30, 1}), Strided({20, 30}, {40, 1})), 0);
  EXPECT_EQ(TransposedDimOf(Strided({20, 30}, {1, 20}), Strided({20, 30}, {1, 20})), 0);
  EXPECT_EQ(TransposedDimOf(Strided({20, 3}, {3, 1}), Strided({20, 3}, {1, 20})), 0);
  EXPECT_EQ(TransposedDimOf(Strided({20, 30}, {30, 1}), Strided({20, 30}, {1, 0})), 0);
  EXPECT_EQ(TransposedDimOf(Strided({20, 30}, {60, 2}), Strided({20, 30}, {1, 20})), 0);
}

TEST(LayoutTest, PartsMakeUpWhatHasTooManyDimensions) {
  std::vector<int64_t> sizes(15, 2), strides(15);
  int64_t stride = 1;
  for (size_t d = 15; d-- > 0; stride *= 3) strides[d] = stride;
  const Tensor t = Tensor::EmptyStrided(sizes, strides, DType::kUInt8);
  IndexSpace w(t.sizes());
  w.Add(t);
  w.Coalesce();
  ASSERT_EQ(w.rank, 15);
  std::set<int64_t> seen;
  ForEachPart(w, [&](const IndexSpace& part) {
    ASSERT_EQ(part.rank, kMaxDims);
    for (int64_t i = 0; i < part.numel(); ++i) {
      int64_t at = part.operands[0].data - static_cast<char*>(t.data());
      for (int64_t d = 0, rest = i; d < part.rank; rest /= 2, ++d)
        at += rest % 2 * part.operands[0].strides[d];
      seen.insert(at);
    }
  });
  EXPECT_EQ(seen.size(), size_t{1} << 15);
  EXPECT_EQ(w.rank, 15);
}

}  // namespace
}  // namespace sy::cuda
