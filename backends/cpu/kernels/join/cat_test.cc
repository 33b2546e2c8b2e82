#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"

namespace sy {
namespace {

TEST(CatTest, JoinsAlongAnInnerDimension) {
  const Tensor a = tensor({{1., 2.}, {3., 4.}}), b = tensor({{5.}, {6.}});
  EXPECT_EQ(Text(cat({a, b}, 1)), "tensor([[1., 2., 5.],\n        [3., 4., 6.]])");
}

TEST(CatTest, ConvertsToTheCommonDType) {
  EXPECT_EQ(Text(cat({tensor({1, 2}), tensor({0.5})})), "tensor([1.0000, 2.0000, 0.5000])");
}

TEST(CatTest, ReadsTransposedTensors) {
  const Tensor a = transpose(view(arange(4), {2, 2}), 0, 1);
  EXPECT_EQ(Text(cat({a, a}, 0)),
            "tensor([[0, 2],\n        [1, 3],\n        [0, 2],\n        [1, 3]])");
}

TEST(CatTest, EmptyVectorsDoNotCount) {
  EXPECT_EQ(Text(cat({empty({0}), ones({1, 2})}, 0)), "tensor([[1., 1.]])");
}

TEST(CatTest, KeepsChannelsLast) {
  const Tensor x = contiguous(view(arange(24), {1, 2, 3, 4}), MemoryFormat::kChannelsLast);
  const Tensor joined = cat({x, x}, 1);
  EXPECT_TRUE(joined.is_contiguous(MemoryFormat::kChannelsLast));
  EXPECT_TRUE(SameBytes(narrow(joined, 1, 2, 2), x));
}

TEST(CatTest, WritesAStridedOut) {
  const Tensor base = zeros({2, 3}), out = transpose(base, 0, 1);
  cat_out(out, {tensor({{1., 2.}}), tensor({{3., 4.}, {5., 6.}})}, 0);
  EXPECT_EQ(Text(base), "tensor([[1., 3., 5.],\n        [2., 4., 6.]])");
}

TEST(CatTest, LargePiecesAreCopiedWhole) {
  const ThreadsScope threads(4);
  const Tensor a = arange(5000001), b = arange(100003);
  const Tensor joined = cat({a, b});
  EXPECT_TRUE(SameBytes(narrow(joined, 0, 0, 5000001), a));
  EXPECT_TRUE(SameBytes(narrow(joined, 0, 5000001, 100003), b));
}

TEST(StackTest, MakesANewDimension) {
  EXPECT_EQ(Text(stack({tensor({1, 2}), tensor({3, 4})}, 1)), "tensor([[1, 3],\n        [2, 4]])");
}

}  // namespace
}  // namespace sy
