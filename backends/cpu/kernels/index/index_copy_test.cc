#include <gtest/gtest.h>

#include <vector>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

TEST(IndexCopyTest, SlicesOfSourceGoWhereTheIndexSays) {
  const Tensor x = zeros({4, 2});
  index_copy_(x, 0, tensor({3, 0}), tensor({{1., 2.}, {3., 4.}}));
  EXPECT_EQ(Text(x), "tensor([[3., 4.],\n        [0., 0.],\n        [0., 0.],\n        [1., 2.]])");
}

TEST(IndexCopyTest, TheFunctionalFormLeavesSelfAsItWas) {
  const Tensor x = zeros({3}), y = index_copy(x, 0, tensor({1}), tensor({5.}));
  EXPECT_EQ(Text(x) + Text(y), "tensor([0., 0., 0.])tensor([0., 5., 0.])");
}

TEST(IndexCopyTest, TheOutFormResizesAnEmptyOut) {
  const Tensor out = empty({0});
  index_copy_out(out, zeros({3}), 0, tensor({2}), tensor({5.}));
  EXPECT_EQ(Text(out), "tensor([0., 0., 5.])");
}

TEST(IndexCopyTest, ANegativeDimCountsFromTheEnd) {
  const Tensor x = zeros({2, 3});
  index_copy_(x, -1, tensor({2, 0}), tensor({{1., 2.}, {3., 4.}}));
  EXPECT_EQ(Text(x), "tensor([[2., 0., 1.],\n        [4., 0., 3.]])");
}

TEST(IndexCopyTest, ScalarsHaveOneSlice) {
  const Tensor self = zeros(Ints{}), vector = zeros({3});
  index_copy_(self, 0, tensor({0}), tensor({7.}));
  index_copy_(vector, 0, tensor(1), tensor(8.));
  EXPECT_EQ(Text(self) + Text(vector), "tensor(7.)tensor([0., 8., 0.])");
}

TEST(IndexCopyTest, AnEmptyIndexCopiesNothing) {
  const Tensor x = ones({3});
  index_copy_(x, 0, empty({0}, DType::kInt64), empty({0}));
  EXPECT_EQ(Text(x), "tensor([1., 1., 1.])");
}

TEST(IndexCopyTest, StridedTensorsAndIndices) {
  const Tensor x = zeros({2, 4}), columns = transpose(x, 0, 1);
  const Tensor index = slice(tensor({3, 9, 1, 9}), 0, 0, 4, 2);
  index_copy_(columns, 0, index, transpose(tensor({{1., 2.}, {3., 4.}}), 0, 1));
  EXPECT_EQ(Text(x), "tensor([[0., 2., 0., 1.],\n        [0., 4., 0., 3.]])");
}

TEST(IndexCopyTest, EveryDTypeIsCopied) {
  for (int d = 0; d < kNumDTypes; ++d) {
    const DType dtype = static_cast<DType>(d);
    const Tensor x = zeros({3, 2}, dtype), row = ones({1, 2}, dtype);
    index_copy_(x, 0, tensor({1}), row);
    EXPECT_TRUE(SameBytes(narrow(x, 0, 1, 1), row)) << Name(dtype);
  }
}

// Positions 0, 1, 2, 3, 0, 1, …: what the last four slices hold must be left.
void ExpectLastSlicesWin(int64_t dim, const std::vector<int64_t>& sizes, int64_t count) {
  const ThreadsScope threads(4);
  std::vector<int64_t> source_sizes = sizes;
  source_sizes[dim] = count;
  const Tensor source = view(arange(NumElements(source_sizes)), source_sizes);
  const Tensor x = zeros(sizes, DType::kInt64);
  index_copy_(x, dim, bitwise_and(arange(count), 3), source);
  EXPECT_TRUE(SameBytes(x, narrow(source, dim, count - 4, 4)));
}

TEST(IndexCopyTest, OfLongRowsTheLastOneWinsInParallel) { ExpectLastSlicesWin(0, {4, 5000}, 400); }
TEST(IndexCopyTest, OfShortRowsTheLastOneWinsInParallel) { ExpectLastSlicesWin(0, {4, 3}, 100000); }
TEST(IndexCopyTest, OfElementsTheLastOneWinsInParallel) { ExpectLastSlicesWin(0, {4}, 400000); }
TEST(IndexCopyTest, OfColumnsTheLastOneWinsInParallel) { ExpectLastSlicesWin(1, {500, 4}, 1000); }
TEST(IndexCopyTest, OfPlanesTheLastOneWinsInParallel) { ExpectLastSlicesWin(1, {50, 4, 7}, 1000); }

// Every index is tested before the first write, also when several threads would write.
void ExpectUntouchedOn(int64_t bad, int64_t at, int64_t n) {
  const Tensor x = zeros({n}), index = arange(n);
  index.data<int64_t>()[at] = bad;
  EXPECT_EQ(CodeOf([&] { index_copy_(x, 0, index, ones({n})); }), ErrorCode::kIndexOutOfRange);
  EXPECT_TRUE(SameBytes(x, zeros({n})));
}

TEST(IndexCopyTest, LeavesSelfUntouchedOnBadIndex) { ExpectUntouchedOn(5, 4, 5); }
TEST(IndexCopyTest, LeavesSelfUntouchedOnNegativeIndex) { ExpectUntouchedOn(-1, 4, 5); }
TEST(IndexCopyTest, LeavesALongSelfUntouchedOnBadIndexInParallel) {
  const ThreadsScope threads(4);
  ExpectUntouchedOn(300000, 299999, 300000);
}

TEST(IndexCopyTest, ABadIndexIsNamedWithItsPlace) {
  EXPECT_EQ(MessageOf([] {
              index_copy_(zeros({5, 3}), 0, tensor({0, 7}), ones({2, 3}));
            }),
            "index_copy_(): index is 7 at [1], out of range for dim 0, which has size 5");
}

TEST(IndexCopyTest, RefusesASelfThatOverlapsItself) {
  const Tensor x = expand(zeros({1, 3}), {4, 3});
  EXPECT_EQ(CodeOf([&] {
              index_copy_(x, 0, tensor({1}), ones({1, 3}));
            }),
            ErrorCode::kInvalidArgument);
}

TEST(IndexCopyTest, RefusesASourceInTheMemoryOfSelf) {
  const Tensor x = arange(6);
  EXPECT_EQ(CodeOf([&] {
              index_copy_(narrow(x, 0, 0, 4), 0, tensor({1, 2}), narrow(x, 0, 3, 2));
            }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(Text(x), "tensor([0, 1, 2, 3, 4, 5])");
}

TEST(IndexCopyTest, RefusesAnIndexInTheMemoryOfSelf) {
  const Tensor x = arange(3);
  EXPECT_EQ(CodeOf([&] { index_copy_(x, 0, x, tensor({7, 8, 9})); }), ErrorCode::kInvalidArgument);
}

TEST(IndexCopyTest, RefusesSelfAsItsOwnSource) {
  const Tensor x = arange(3);
  EXPECT_EQ(CodeOf([&] { index_copy_(x, 0, tensor({2, 0, 1}), x); }), ErrorCode::kInvalidArgument);
}

TEST(IndexCopyTest, RefusesInt32IndicesAndOtherDTypesOfSource) {
  const Tensor x = zeros({3});
  EXPECT_EQ(CodeOf([&] { index_copy_(x, 0, tensor({1}, DType::kInt32), ones({1})); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { index_copy_(x, 0, tensor({1}), ones({1}, DType::kFloat64)); }),
            ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace sy
