#include <gtest/gtest.h>

#include <limits>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/kernels/testing.h"

namespace sy {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(SortTest, NaNIsGreaterThanEveryNumber) {
  const Tensor x = tensor({1., kNaN, -2., std::numeric_limits<double>::infinity()});
  EXPECT_EQ(Text(argsort(x)), "tensor([2, 0, 3, 1])");
  EXPECT_EQ(Text(argsort(x, -1, true)), "tensor([1, 3, 0, 2])");
}

TEST(SortTest, EqualElementsKeepTheirOrderInLinesOfAnyLength) {
  for (int64_t n : {5, 100, 5000}) {
    const Tensor x = remainder(arange(n), 3);
    for (bool descending : {false, true}) {
      const Tensor at = std::get<1>(sort(x, -1, descending));
      const int64_t* p = at.data<int64_t>();
      for (int64_t i = 1; i < n; ++i) {
        const bool equal = p[i] % 3 == p[i - 1] % 3;
        ASSERT_TRUE(!equal || p[i - 1] < p[i]) << n << ", at " << i;
      }
    }
  }
}

// Short lines are ranked by each instruction set's own loop.
TEST(SortTest, EveryInstructionSetSortsLinesOfAnyLength) {
  const cpu::Isa before = cpu::ActiveIsa();
  for (int isa = 0; isa <= cpu::BestIsa(); ++isa) {
    cpu::SetIsa(static_cast<cpu::Isa>(isa));
    for (const DType dtype : {DType::kFloat32, DType::kInt64}) {
      for (int64_t n = 1; n <= 140; ++n) {
        const Tensor x = to(mul(sin(arange(n, DType::kFloat32)), 5), dtype);
        const auto [values, indices] = sort(x);
        const Tensor wide = to(values, DType::kFloat64);
        const auto* v = wide.data<double>();
        const int64_t* p = indices.data<int64_t>();
        EXPECT_TRUE(SameBytes(index_select(x, 0, indices), values));
        for (int64_t i = 1; i < n; ++i) {
          ASSERT_TRUE(v[i - 1] < v[i] || (v[i - 1] == v[i] && p[i - 1] < p[i]))
              << cpu::Name(static_cast<cpu::Isa>(isa)) << ", " << n << " elements, at " << i;
        }
      }
    }
  }
  cpu::SetIsa(before);
}

TEST(SortTest, ResultsLieAsTheInputDoes) {
  const Tensor x =
      transpose(sin(arange(12, DType::kFloat32))
                    .AsStrided(std::array<int64_t, 2>{3, 4}, std::array<int64_t, 2>{4, 1}, 0),
                0, 1);
  const auto [values, indices] = sort(x, 0);
  EXPECT_EQ(values.strides()[0], 1);
  EXPECT_EQ(indices.strides()[0], 1);
}

TEST(TopkTest, IsWhatComesFirstInOrder) {
  const Tensor all_differ = sin(arange(10000, DType::kFloat64)),
               many_alike = remainder(mul(arange(10000), 7919), 50), ascending = arange(10000);
  for (const Tensor& x : {all_differ, many_alike, ascending}) {
    const auto [sorted, at] = sort(x, 0, true);
    for (int64_t k : {0, 1, 10, 100, 625, 626, 5000, 10000}) {
      const auto [values, indices] = topk(x, k);
      EXPECT_TRUE(SameBytes(values, narrow(sorted, 0, 0, k))) << k;
      EXPECT_TRUE(SameBytes(index_select(x, 0, indices), values)) << k;
      if (k <= 625) {
        EXPECT_TRUE(SameBytes(indices, narrow(at, 0, 0, k))) << k;
      }
    }
  }
}

TEST(MedianTest, IsNaNWhereThereIsAny) {
  const Tensor x = tensor({3., kNaN, 1., 2.});
  EXPECT_EQ(Text(median(x)), "tensor(nan)");
  EXPECT_EQ(Text(nanmedian(x)), "tensor(2.)");
  EXPECT_EQ(Text(std::get<1>(median(x, 0))), "tensor(1)");
  EXPECT_EQ(Text(nanmedian(tensor({kNaN}))), "tensor(nan)");
}

TEST(SearchsortedTest, NaNGoesLast) {
  EXPECT_EQ(Text(bucketize(tensor({kNaN, 1., 0.}), tensor({0., 1.}))), "tensor([2, 1, 0])");
  EXPECT_EQ(Text(bucketize(tensor({1., 0.}), tensor({0., 1.}), false, true)), "tensor([2, 1])");
}

// Distances times the number of bins are more than the dtype holds.
TEST(HistcTest, LargeNumbersFindTheirBins) {
  const Tensor wide = histc(tensor({0., 2.9e38, 3e38}, DType::kFloat32), 100);
  EXPECT_EQ(item(sum(wide)).To<int>(), 3);
  EXPECT_EQ(item(select(wide, 0, 96)).To<int>(), 1);
  EXPECT_EQ(item(select(wide, 0, 99)).To<int>(), 1);
  const Tensor half = histc(tensor({0., 900., 1000.}, DType::kFloat16), 100);
  EXPECT_EQ(item(sum(half)).To<int>(), 3);
  EXPECT_EQ(item(select(half, 0, 90)).To<int>(), 1);
}
TEST(IsinTest, NaNIsInNothing) {
  EXPECT_EQ(Text(isin(tensor({kNaN, 1., 2.}), tensor({kNaN, 2.}))),
            "tensor([False, False,  True])");
}

TEST(RenormTest, TheInPlaceFormWritesSelf) {
  const Tensor x = tensor({{3., 4.}, {0.3, 0.4}});
  renorm_(x, 2, 0, 1);
  EXPECT_EQ(Text(x), "tensor([[0.6000, 0.8000],\n        [0.3000, 0.4000]])");
}

TEST(TopkTest, NoneOfA0DTensorIsThatTensor) {
  const auto [values, indices] = topk(tensor(5), 0);
  EXPECT_EQ(Text(values) + Text(indices), "tensor(5)tensor(0)");
}

}  // namespace
}  // namespace sy
