#include <gtest/gtest.h>

#include "backends/cpu/kernels/testing.h"

namespace sy {
namespace {

TEST(GatherTest, PicksAnElementForEachIndex) {
  const Tensor x = tensor({{1., 2.}, {3., 4.}});
  EXPECT_EQ(Text(gather(x, 1, tensor({{0, 0}, {1, 0}}))), "tensor([[1., 1.],\n        [4., 3.]])");
}

TEST(GatherTest, TakesInt32Indices) {
  EXPECT_EQ(Text(gather(tensor({5., 6.}), 0, tensor({1, 1, 0}, DType::kInt32))),
            "tensor([6., 6., 5.])");
}

TEST(GatherTest, ReadsExpandedIndicesAsRows) {
  const Tensor x = view(arange(6), {3, 2}), index = expand(tensor({{2}, {0}}), {2, 2});
  EXPECT_EQ(Text(gather(x, 0, index)), "tensor([[4, 5],\n        [0, 1]])");
}

TEST(GatherTest, LeavesOutUntouchedOnBadIndex) {
  const Tensor out = zeros({2});
  EXPECT_EQ(CodeOf([&] {
              gather_out(out, ones({3}), 0, tensor({0, 3}));
            }),
            ErrorCode::kInvalidValue);
  EXPECT_EQ(Text(out), "tensor([0., 0.])");
}

TEST(ScatterTest, PutsEachElementWhereItsIndexSays) {
  const Tensor x = zeros({2, 3});
  scatter_(x, 1, tensor({{2}, {0}}), tensor({{5.}, {6.}}));
  EXPECT_EQ(Text(x), "tensor([[0., 0., 5.],\n        [6., 0., 0.]])");
}

TEST(ScatterTest, TheLastOfRepeatedPositionsWinsInParallel) {
  const ThreadsScope threads(4);
  const Tensor x = zeros({4}, DType::kInt64), source = arange(200000);
  scatter_(x, 0, bitwise_and(source, 3), source);
  EXPECT_EQ(Text(x), "tensor([199996, 199997, 199998, 199999])");
}

TEST(ScatterTest, PutsANumber) {
  EXPECT_EQ(Text(scatter(zeros({3}), 0, tensor({1}), 2.5)), "tensor([0.0000, 2.5000, 0.0000])");
}

TEST(ScatterTest, AddsWhatGoesToOnePosition) {
  EXPECT_EQ(Text(scatter(ones({2}), 0, tensor({1, 1}), tensor({2., 3.}), "add")),
            "tensor([1., 6.])");
}

TEST(ScatterTest, HalvesAreSummedInFloatAndRoundedOnce) {
  // In float16, 2048 + 1 is 2048 again.
  const Tensor x = full({1}, 2048, DType::kFloat16), index = zeros({4}, DType::kInt64);
  scatter_(x, 0, index, 1, "add");
  EXPECT_EQ(Text(x), "tensor([2052.], dtype=torch.float16)");
}

TEST(ScatterTest, LeavesSelfUntouchedOnBadIndex) {
  const Tensor x = zeros({3});
  EXPECT_EQ(CodeOf([&] { scatter_(x, 0, tensor({0, -1}), ones({2})); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(Text(x), "tensor([0., 0., 0.])");
}

TEST(IndexSelectTest, SelectsSlicesInTheOrderOfTheIndex) {
  EXPECT_EQ(Text(index_select(view(arange(6), {3, 2}), 0, tensor({2, 0, 2}))),
            "tensor([[4, 5],\n        [0, 1],\n        [4, 5]])");
}

TEST(IndexSelectTest, SelectsColumnsOfTransposedTensors) {
  EXPECT_EQ(Text(index_select(transpose(view(arange(6), {3, 2}), 0, 1), 1, tensor({1}))),
            "tensor([[2],\n        [3]])");
}

}  // namespace
}  // namespace sy
