#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"

namespace sy {
namespace {

Tensor NaNs(Ints sizes) { return full(sizes, std::numeric_limits<double>::quiet_NaN()); }

TEST(AddmmTest, BetaOfZeroDoesNotReadSelf) {
  const Tensor a = tensor({{1., 2.}}), b = tensor({{3.}, {4.}});
  EXPECT_EQ(Text(addmm(NaNs({1, 1}), a, b, 0, 2)), "tensor([[22.]])");
  EXPECT_EQ(Text(addmv(NaNs({1}), a, tensor({3., 4.}), 0)), "tensor([11.])");
  EXPECT_EQ(Text(addr(NaNs({1, 1}), tensor({2.}), tensor({3.}), 0)), "tensor([[6.]])");
  EXPECT_EQ(Text(baddbmm(NaNs({1, 1, 1}), unsqueeze(a, 0), unsqueeze(b, 0), 0)),
            "tensor([[[11.]]])");
}

TEST(AddmmTest, AnEmptyProductLeavesBetaTimesSelf) {
  EXPECT_EQ(Text(addmm(tensor({1., 2.}), ones({2, 0}), ones({0, 2}), 3)),
            "tensor([[3., 6.],\n        [3., 6.]])");
}

TEST(AddmmTest, IntegersTakeBetaAndAlphaWithoutTheirFractions) {
  EXPECT_EQ(Text(addmm(tensor({10}), tensor({{1, 2}}), tensor({{3}, {4}}), 0.5, 2.9)),
            "tensor([[22]])");
}

TEST(AddmmTest, SmallIntegersWrapAround) {
  const Tensor a = full({1, 2}, 100, DType::kInt8), b = full({2, 1}, 3, DType::kInt8);
  // 600 + 1 is 89 modulo 256.
  EXPECT_EQ(Text(addmm(ones({1}, DType::kInt8), a, b)), "tensor([[89]], dtype=torch.int8)");
}

TEST(AddmmTest, HalvesAreRoundedOnce) {
  // 2048 + 0.5 + 0.5: each alone would be lost in float16, the last place of 2048 being 2.
  const Tensor a = full({1, 4}, 0.5, DType::kFloat16), b = ones({4, 1}, DType::kFloat16);
  EXPECT_EQ(Text(addmm(full({1}, 2048, DType::kFloat16), a, b)),
            "tensor([[2050.]], dtype=torch.float16)");
}

TEST(AddmmTest, WritesColumnMajorAndStridedResultsInPlace) {
  const Tensor x = transpose(zeros({3, 2}), 0, 1), a = ones({2, 5}), b = ones({5, 3});
  addmm_(x, a, b);
  addmm_(x, a, b, 2);
  EXPECT_EQ(Text(x), "tensor([[15., 15., 15.],\n        [15., 15., 15.]])");
}

TEST(AddbmmTest, TheInPlaceFormGrowsSelf) {
  const Tensor x = ones({1});
  addbmm_(x, ones({2, 2, 3}), ones({2, 3, 2}));
  EXPECT_EQ(Text(x), "tensor([[7., 7.],\n        [7., 7.]])");
}

TEST(LinearTest, BatchesAreRowsOfOneMatrix) {
  const Tensor x = ones({2, 3, 4}), weight = ones({5, 4}), bias = arange(5, DType::kFloat32);
  const Tensor y = linear(x, weight, bias);
  EXPECT_EQ(y.size(2), 5);
  EXPECT_EQ(Text(select(select(y, 0, 1), 0, 2)), "tensor([4., 5., 6., 7., 8.])");
}

}  // namespace
}  // namespace sy
