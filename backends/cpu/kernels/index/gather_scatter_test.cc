#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

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
            ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(Text(out), "tensor([0., 0.])");
}

TEST(IndexAddTest, NoPositionIsInAnEmptyVector) {
  const Tensor x = zeros({0});
  EXPECT_EQ(CodeOf([&] {
              index_add_(x, 0, tensor({0, 0}), ones({2}));
            }),
            ErrorCode::kIndexOutOfRange);
  index_add_(x, 0, empty({0}, {.dtype = DType::kInt64}), ones({0}));
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

// Rows short and long, few and many, all of one place and spread: threads share them differently.
TEST(IndexAddTest, TheNumberOfThreadsDoesNotChangeTheResult) {
  for (const auto& shape : {std::pair{3000, 7}, {40, 5000}, {300, 301}, {100000, 1}}) {
    const int rows = shape.first, columns = shape.second;
    for (const int places : {1, 3, 250}) {
      const Tensor index = remainder(arange(rows), Scalar(places));
      const Tensor source = reshape(to(arange(rows * columns), DType::kFloat32), {rows, columns});
      const auto add = [&](int threads) {
        const ThreadsScope scope(threads);
        return index_add(zeros({places, columns}), 0, index, mul(source, 0.001));
      };
      const Tensor one = add(1);
      EXPECT_TRUE(SameBytes(add(2), one)) << rows << " x " << columns << ", " << places;
      EXPECT_TRUE(SameBytes(add(5), one)) << rows << " x " << columns << ", " << places;
    }
  }
}

TEST(GatherTest, ExpandedRowsAreReadByAnyNumberOfThreads) {
  const Tensor x = reshape(arange(600 * 301), {600, 301});
  const Tensor index = flip(arange(600), {0});
  const ThreadsScope threads(3);
  const Tensor rows = gather(x, 0, expand(unsqueeze(index, 1), {600, 301}));
  EXPECT_TRUE(SameBytes(rows, flip(x, {0})));
}

TEST(TakeTest, CountsFromTheEndAndWritesNothingOnABadIndex) {
  const Tensor x = arange(40000),
               index = sub(remainder(arange(70000), Scalar(80000)), Scalar(40000));
  const ThreadsScope threads(2);
  const Tensor y = take(x, slice(index, 0, 0, 70000));
  EXPECT_TRUE(SameBytes(slice(y, 0, 0, 40000), x));
  EXPECT_TRUE(SameBytes(slice(y, 0, 40000, 70000), slice(x, 0, 0, 30000)));
  for (const int64_t bad : {int64_t{40000}, int64_t{-40001}, INT64_MAX, INT64_MIN}) {
    const Tensor out = full({3}, 7, DType::kInt64);
    const Tensor at = Tensor::Empty({3}, DType::kInt64);
    for (int i = 0; i < 3; ++i) at.data<int64_t>()[i] = i == 1 ? bad : 0;
    EXPECT_EQ(CodeOf([&] { take_out(out, x, at); }), ErrorCode::kIndexOutOfRange) << bad;
    EXPECT_EQ(Text(out), "tensor([7, 7, 7])");
  }
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
  EXPECT_EQ(CodeOf([&] {
              scatter_(x, 0, tensor({0, -1}), ones({2}));
            }),
            ErrorCode::kIndexOutOfRange);
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
