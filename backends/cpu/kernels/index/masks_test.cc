#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

// More elements than one block of the counting has.
constexpr int64_t kMany = 100003;

TEST(MaskedSelectTest, BlocksJoinWithoutSeams) {
  const ThreadsScope threads(4);
  const Tensor x = arange(kMany);
  for (const int64_t every : {1, 2, 7, 20000}) {
    const Tensor chosen = masked_select(x, eq(remainder(x, every), 0));
    EXPECT_TRUE(SameBytes(chosen, arange(0, kMany, every))) << every;
  }
}

TEST(MaskedSelectTest, BroadcastsBothWays) {
  const Tensor x = view(arange(3), {3, 1}), mask = tensor({1, 0, 1, 1});
  EXPECT_EQ(Text(masked_select(x, ne(mask, 0))), "tensor([0, 0, 0, 1, 1, 1, 2, 2, 2])");
}

TEST(MaskedScatterTest, UndoesMaskedSelect) {
  const ThreadsScope threads(4);
  const Tensor x = arange(kMany), mask = eq(remainder(x, 3), 1);
  const Tensor back = masked_scatter(where(mask, zeros_like(x), x), mask, masked_select(x, mask));
  EXPECT_TRUE(SameBytes(back, x));
}

TEST(MaskedScatterTest, LeavesEverythingUntouchedWhenSourceIsShort) {
  const Tensor x = arange(4), out = full({4}, 9, DType::kInt64), mask = gt(x, 0);
  const Tensor source = tensor({7, 7});
  EXPECT_EQ(CodeOf([&] { masked_scatter_(x, mask, source); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(CodeOf([&] { masked_scatter_out(out, x, mask, source); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(Text(x), "tensor([0, 1, 2, 3])");
  EXPECT_EQ(Text(out), "tensor([9, 9, 9, 9])");
}

TEST(MaskedScatterTest, WritesStridedTensorsInPlace) {
  const Tensor base = zeros({2, 3}, DType::kInt64);
  masked_scatter_(transpose(base, 0, 1), ones({3, 2}, DType::kBool), arange(6));
  EXPECT_EQ(Text(base), "tensor([[0, 2, 4],\n        [1, 3, 5]])");
}

TEST(NonzeroTest, CoordinatesAreThoseOfEachElement) {
  const ThreadsScope threads(4);
  const Tensor x = view(remainder(arange(60 * 70 * 11), 5), {60, 70, 11});
  const Tensor at = nonzero(x);
  const Tensor flat =
      add(add(mul(select(at, 1, 0), 70 * 11), mul(select(at, 1, 1), 11)), select(at, 1, 2));
  EXPECT_TRUE(SameBytes(flat, masked_select(arange(60 * 70 * 11), ne(view(x, {-1}), 0))));
}

TEST(NonzeroTest, NaNIsNotZeroAndMinusZeroIs) {
  EXPECT_EQ(Text(nonzero(tensor({0., -0., NAN, 2.}))), "tensor([[2],\n        [3]])");
}

TEST(NonzeroStaticTest, CutsOffAndFillsUp) {
  const Tensor x = tensor({{0, 1}, {1, 1}});
  EXPECT_EQ(Text(nonzero_static(x, 2)), "tensor([[0, 1],\n        [1, 0]])");
  EXPECT_EQ(Text(nonzero_static(x, 4, -7)),
            "tensor([[ 0,  1],\n        [ 1,  0],\n        [ 1,  1],\n        [-7, -7]])");
}

TEST(RepeatInterleaveTest, RefusesNegativeCountsAndWrongSizes) {
  EXPECT_EQ(Text(repeat_interleave(tensor({2, 0, 1}))), "tensor([0, 0, 2])");
  EXPECT_EQ(CodeOf([] { repeat_interleave(tensor({2, -1})); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(CodeOf([] {
              repeat_interleave(tensor({2, 1}), std::optional<int64_t>(4));
            }),
            ErrorCode::kInvalidValue);
}

TEST(OneHotTest, RefusesClassesOutOfRange) {
  EXPECT_EQ(CodeOf([] { one_hot(tensor({0, 3}), 3); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(CodeOf([] { one_hot(tensor({-1, 0})); }), ErrorCode::kInvalidValue);
}

TEST(FillTest, AnElementOfSelfIsAValueLikeAnyOther) {
  const Tensor mask = tensor({true, true, false, true});
  for (int64_t k : {0, 2}) {
    Tensor x = arange(4, DType::kFloat32);
    const double value = static_cast<double>(k);
    EXPECT_TRUE(equal(masked_fill_(x, mask, select(x, 0, k)),
                      masked_fill(arange(4, DType::kFloat32), mask, value)));
    x = arange(4, DType::kFloat32);
    EXPECT_TRUE(equal(index_fill_(x, 0, tensor({0, 3}), select(x, 0, k)),
                      index_fill(arange(4, DType::kFloat32), 0, tensor({0, 3}), value)));
    x = arange(4, DType::kFloat32);
    EXPECT_TRUE(equal(fill_(x, select(x, 0, k)), full({4}, value)));
  }
}

}  // namespace
}  // namespace sy
