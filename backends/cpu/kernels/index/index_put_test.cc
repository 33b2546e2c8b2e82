#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

TEST(IndexTest, MasksTakeWhereTheyAreTrue) {
  const Tensor x = tensor({{1., 2.}, {3., 4.}});
  EXPECT_EQ(Text(index(x, {gt(x, 1.5)})), "tensor([2., 3., 4.])");
  EXPECT_EQ(Text(index(x, {Tensor(), tensor({1, 0}, DType::kUInt8)})),
            "tensor([[1.],\n        [3.]])");
}

TEST(IndexTest, IndicesThatAreNoNeighboursComeFirst) {
  const Tensor x = view(arange(24), {2, 3, 4}), at = tensor({0, 1, 1, 0, 1});
  EXPECT_EQ(index(x, {at, Tensor(), at}).size(0), 5);
  EXPECT_EQ(Text(index(x, {tensor({1}), Tensor(), tensor({-1})})), "tensor([[15, 19, 23]])");
}

TEST(IndexTest, PositionsOutOfRangeAreAnErrorThatNamesThem) {
  EXPECT_EQ(CodeOf([] { index(ones({3}), {tensor({0, 3})}); }), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(CodeOf([] { index(ones({3}), {tensor({0, -4})}); }), ErrorCode::kIndexOutOfRange);
}

TEST(IndexPutTest, LeavesSelfUntouchedOnBadIndex) {
  const Tensor x = zeros({3});
  EXPECT_EQ(CodeOf([&] {
              index_put_(x, {tensor({0, 7})}, ones({2}));
            }),
            ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(Text(x), "tensor([0., 0., 0.])");
}

TEST(IndexPutTest, LeavesSelfUntouchedWhenAMaskDoesNotFitTheValues) {
  const Tensor x = zeros({3});
  const Tensor mask = tensor({1, 1, 0}, DType::kUInt8);
  EXPECT_EQ(CodeOf([&] { index_put_(x, {mask}, ones({3})); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(Text(x), "tensor([0., 0., 0.])");
}

TEST(IndexPutTest, TheLastOfRepeatedPlacesWinsInParallel) {
  const ThreadsScope threads(4);
  const Tensor source = arange(200000), at = bitwise_and(source, 3);
  const Tensor line = zeros({4}, DType::kInt64), rows = zeros({4, 2}, DType::kInt64);
  index_put_(line, {at}, source);
  EXPECT_EQ(Text(line), "tensor([199996, 199997, 199998, 199999])");
  index_put_(rows, {at}, unsqueeze(source, 1));
  EXPECT_EQ(Text(rows),
            "tensor([[199996, 199996],\n        [199997, 199997],\n        "
            "[199998, 199998],\n        [199999, 199999]])");
}

TEST(IndexPutTest, AccumulatesInOrder) {
  // 1e8 + 1 - 1e8 is 0 in float32, 1e8 - 1e8 + 1 is 1.
  const Tensor x = zeros({2});
  index_put_(x, {tensor({0, 0, 0, 1, 1, 1})}, tensor({1e8, 1., -1e8, 1e8, -1e8, 1.}), true);
  EXPECT_EQ(Text(x), "tensor([0., 1.])");
}

TEST(IndexAddTest, SumsDoNotDependOnTheNumberOfThreads) {
  const Tensor source = sin(arange(300000, DType::kFloat32)), at = remainder(arange(300), 7);
  const auto sums = [&](int threads, int64_t dim) {
    const ThreadsScope scope(threads);
    const Tensor rows = view(source, {300, 1000});
    return dim == 0 ? index_add(zeros({7, 1000}), 0, at, rows)
                    : index_add(zeros({1000, 7}), 1, at, transpose(rows, 0, 1));
  };
  EXPECT_TRUE(SameBytes(sums(1, 0), sums(4, 0)));
  EXPECT_TRUE(SameBytes(sums(1, 1), sums(4, 1)));
  EXPECT_TRUE(SameBytes(sums(1, 0), transpose(sums(4, 1), 0, 1)));
}

TEST(IndexAddTest, LeavesSelfUntouchedOnBadIndex) {
  const Tensor x = zeros({2});
  EXPECT_EQ(CodeOf([&] {
              index_add_(x, 0, tensor({0, 2}), ones({2}));
            }),
            ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(Text(x), "tensor([0., 0.])");
}

TEST(IndexReduceTest, CountsOfMeansOfSmallIntegersDoNotWrap) {
  // Sums of uint8 wrap around, so they are 0 here; 256 as a count of uint8 would be 0 too.
  const Tensor x = zeros({1}, DType::kUInt8);
  index_reduce_(x, 0, zeros({256}, DType::kInt64), ones({256}, DType::kUInt8), "mean", false);
  EXPECT_EQ(Text(x), "tensor([0], dtype=torch.uint8)");
}

TEST(TakeTest, NumbersOfStridedTensorsCountRowByRow) {
  const Tensor x = transpose(view(arange(6), {2, 3}), 0, 1);  // [[0, 3], [1, 4], [2, 5]]
  EXPECT_EQ(Text(take(x, tensor({1, -1, 2}))), "tensor([3, 5, 1])");
  EXPECT_EQ(Text(put(x, tensor({1, 1}), tensor({8, 9}))),
            "tensor([[0, 9],\n        [1, 4],\n        [2, 5]])");
}

}  // namespace
}  // namespace sy
