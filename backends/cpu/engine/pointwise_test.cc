// The walk over operands: whatever their sizes, strides and dtypes, results are those of the
// elements.
#include "switchyard/backends/cpu/engine/pointwise.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "switchyard/core/parallel.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops.h"

namespace sy::cpu {
namespace {

// Small integers, which every dtype holds and adds exactly, in row-major order.
Tensor Digits(IntSpan sizes, DType dtype, int seed) {
  const Tensor t = Tensor::Empty(sizes, dtype);
  VisitDType<kAllTypes>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* p = static_cast<T*>(t.data());
    for (int64_t i = 0; i < t.numel(); ++i) p[i] = Scalar((i * 7 + seed) % 10).To<T>();
  });
  return t;
}

// The element of t, or of what t broadcasts to, at a position in row-major order of `sizes`.
double Element(const Tensor& t, IntSpan sizes, int64_t position) {
  int64_t offset = 0;
  for (int64_t d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    const int64_t own = d - (static_cast<int64_t>(sizes.size()) - t.dim());
    const int64_t i = position % sizes[d];
    position /= sizes[d];
    if (own >= 0 && t.size(own) != 1) offset += i * t.stride(own);
  }
  return VisitDType<kAllTypes>(t.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T x = static_cast<const T*>(t.data())[offset];
    if constexpr (std::is_same_v<T, ComplexHalf>) {
      return static_cast<double>(std::complex<float>(x).real());
    } else if constexpr (requires { x.real(); }) {
      return static_cast<double>(x.real());
    } else {
      return static_cast<double>(x);
    }
  });
}

double Total(const Tensor& t) {
  double total = 0;
  for (int64_t i = 0; i < t.numel(); ++i) total += Element(t, t.sizes(), i);
  return total;
}

// Whether out is a + b.
testing::AssertionResult IsSum(const Tensor& out, const Tensor& a, const Tensor& b) {
  for (int64_t i = 0; i < out.numel(); ++i) {
    const double expected = Element(a, out.sizes(), i) + Element(b, out.sizes(), i);
    const double got = Element(out, out.sizes(), i);
    if (got != expected)
      return testing::AssertionFailure() << "at " << i << ": " << got << ", not " << expected;
  }
  return testing::AssertionSuccess();
}

TEST(PointwiseTest, EveryNumberOfElementsIsComputedToItsEnd) {
  for (int isa = 0; isa <= BestIsa(); ++isa) {
    SetIsa(static_cast<Isa>(isa));
    for (const DType d : {DType::kInt8, DType::kFloat16, DType::kFloat32, DType::kFloat64}) {
      for (int64_t n = 0; n < 140; ++n) {
        const Tensor a = Digits({&n, 1}, d, 1), b = Digits({&n, 1}, d, 4);
        ASSERT_TRUE(IsSum(add(a, b), a, b)) << Name(d) << " " << n;
      }
    }
  }
  SetIsa(BestIsa());
}

TEST(PointwiseTest, OperandsBroadcast) {
  using Sizes = std::vector<int64_t>;
  const std::pair<Sizes, Sizes> cases[] = {
      {{3, 1}, {1, 5}},
      {{100, 1}, {1, 300}},
      {{2, 1, 4}, {3, 1}},
      {{7}, {}},
      {{}, {}},
      {{1, 1}, {1}},
      {{40, 50}, {50}},
      {{40, 50}, {40, 1}},
      {{5, 1, 6, 1}, {5, 7, 1, 8}},
      {{1, 3000}, {3, 1}},
      {{0, 4}, {1, 4}},
      {{2, 0}, {1}},
      {{2, 1, 2, 1, 2, 1, 2}, {1, 3, 1, 3, 1, 3, 1}},
  };
  for (const auto& [x, y] : cases) {
    const Tensor a = Digits(x, DType::kFloat32, 1), b = Digits(y, DType::kFloat32, 5);
    EXPECT_TRUE(IsSum(add(a, b), a, b)) << a.dim() << " " << b.dim();
    EXPECT_TRUE(IsSum(add(b, a), b, a));
  }
}

TEST(PointwiseTest, EveryPairOfLayoutsGivesTheSameSum) {
  const std::vector<int64_t> big = {12, 70, 34};
  const Tensor t = Digits(big, DType::kFloat32, 3);
  const Tensor layouts[] = {
      slice(t, 2, 0, 17),     // rows with gaps
      slice(t, 2, 0, 34, 2),  // every second element
      transpose(Digits(std::array<int64_t, 3>{17, 70, 12}, DType::kFloat32, 2), 0, 2),
      transpose(Digits(std::array<int64_t, 3>{12, 17, 70}, DType::kFloat32, 4), 1, 2),
      expand(Digits(std::array<int64_t, 2>{70, 1}, DType::kFloat32, 5), {12, 70, 17}),
      Digits(std::array<int64_t, 3>{12, 70, 17}, DType::kFloat32, 6),
  };
  for (const Tensor& a : layouts) {
    for (const Tensor& b : layouts) {
      EXPECT_TRUE(IsSum(add(a, b), a, b)) << "strides differ";
      const Tensor out = transpose(Tensor::Empty({17, 12, 70}, DType::kFloat64), 0, 1);
      const Tensor given = permute(out, {0, 2, 1});
      add_out(given, a, b);
      EXPECT_TRUE(IsSum(given, a, b)) << "into other strides";
    }
  }
}

TEST(PointwiseTest, OperandsOfEveryPairOfDTypesConvert) {
  for (int x = 0; x < kNumDTypes; ++x) {
    for (int y = 0; y < kNumDTypes; ++y) {
      const DType d = static_cast<DType>(x), e = static_cast<DType>(y);
      const DType result = TryPromoteTypes(d, e).value_or(DType::kBool);
      const DTypeMask no_add = kWideUnsignedTypes | kFloat8Types | Bit(DType::kBool);
      if (Contains(no_add, result)) continue;
      const Tensor a = Digits(std::array<int64_t, 1>{100}, d, 1);
      const Tensor b = Digits(std::array<int64_t, 1>{100}, e, 2);
      EXPECT_TRUE(IsSum(add(a, b), a, b)) << Name(d) << " and " << Name(e);
    }
  }
}

TEST(PointwiseTest, AnInt64ThatMeetsFloat16IsRoundedToItFirst) {
  const Tensor a = full({1}, 70000, DType::kInt64), b = zeros({1}, DType::kFloat16);
  EXPECT_EQ(ReadNumber(add(a, b)).To<double>(), std::numeric_limits<double>::infinity());
}

TEST(PointwiseTest, ANumberIsNotRoundedToFloat16ByProducts) {
  const Tensor a = full({4}, 0.5, DType::kFloat16);
  EXPECT_EQ(ReadNumber(select(mul(a, 70000), 0, 3)).To<double>(), 35008);  // the nearest half
}

TEST(PointwiseTest, ResultsConvertToTheGivenTensorsDType) {
  const std::array<int64_t, 2> sizes = {30, 40};
  const Tensor a = Digits(sizes, DType::kInt32, 1), b = Digits(sizes, DType::kInt32, 2);
  for (const DType d :
       {DType::kInt8, DType::kInt64, DType::kFloat16, DType::kFloat64, DType::kComplex64}) {
    const Tensor out = transpose(Tensor::Empty({40, 30}, d), 0, 1);
    add_out(out, a, b);
    EXPECT_TRUE(IsSum(out, a, b)) << Name(d);
  }
}

TEST(PointwiseTest, InPlaceOnAViewLeavesTheRestAlone) {
  const Tensor t = zeros({50, 60}), view = slice(t, 1, 10, 40);
  add_(view, 1);
  EXPECT_EQ(Total(t), 50 * 30);
  EXPECT_EQ(Total(view), 50 * 30);
}

TEST(PointwiseTest, AnOutputThatOverlapsAnInputIsRefused) {
  const Tensor t = ones({10});
  EXPECT_THROW(add_out(slice(t, 0, 1, 10), slice(t, 0, 0, 9), 1), Error);
  EXPECT_EQ(Total(t), 10);
}

// Enough elements for several threads; and, in bytes, for stores around the cache.
TEST(PointwiseTest, TheNumberOfThreadsDoesNotChangeTheResult) {
  const std::array<int64_t, 2> sizes = {3001, 1001};
  const Tensor a = Digits(sizes, DType::kFloat32, 1);
  const Tensor others[] = {
      Digits(sizes, DType::kFloat32, 2), Digits(std::array<int64_t, 1>{1001}, DType::kFloat32, 3),
      Digits(std::array<int64_t, 2>{3001, 1}, DType::kFloat32, 3),
      transpose(Digits(std::array<int64_t, 2>{1001, 3001}, DType::kFloat32, 3), 0, 1),
      Digits(sizes, DType::kInt64, 2)};
  for (const Tensor& b : others) {
    SetNumThreads(1);
    const Tensor one = add(a, b);
    SetNumThreads(3);
    const Tensor three = add(a, b);
    EXPECT_TRUE(IsSum(one, a, b));
    EXPECT_EQ(std::memcmp(one.data(), three.data(), one.nbytes()), 0);
  }
}

// Threads share tiles by rows of the output.
TEST(PointwiseTest, TilesOfAnyNumberOfThreadsCoverEveryElement) {
  const int before = NumThreads();
  for (const auto& [rows, columns] : {std::pair{250, 400}, {2000, 50}, {9, 9000}, {300, 301}}) {
    const Tensor b =
        transpose(Digits(std::array<int64_t, 2>{columns, rows}, DType::kFloat32, 3), 0, 1);
    const Tensor a = Digits(std::array<int64_t, 2>{rows, columns}, DType::kFloat32, 1);
    for (const int threads : {1, 2, 5}) {
      SetNumThreads(threads);
      EXPECT_TRUE(IsSum(add(a, b), a, b)) << rows << " x " << columns << ", " << threads;
    }
  }
  SetNumThreads(before);
}

// Rows that lie apart in one operand: their parts and their dimensions are walked by threads.
TEST(PointwiseTest, RowsOfAnyLengthAndRankAreAllAdded) {
  const int before = NumThreads();
  for (const auto& [rows, columns] : {std::pair{250, 400}, {3, 100'001}, {2000, 17}, {64, 63}}) {
    const Tensor a = Digits(std::array<int64_t, 3>{3, rows, columns}, DType::kFloat32, 1);
    const Tensor b = Digits(std::array<int64_t, 1>{columns}, DType::kFloat32, 3);
    const Tensor c =
        slice(Digits(std::array<int64_t, 3>{3, rows + 1, columns + 5}, DType::kFloat32, 2), 2, 2,
              columns + 2);
    const Tensor d = slice(c, 1, 1, rows + 1);
    for (const int threads : {1, 2, 5}) {
      SetNumThreads(threads);
      EXPECT_TRUE(IsSum(add(a, b), a, b)) << rows << " x " << columns << ", " << threads;
      EXPECT_TRUE(IsSum(add(d, b), d, b)) << rows << " x " << columns << ", " << threads;
      EXPECT_TRUE(IsSum(add(d, a), d, a)) << rows << " x " << columns << ", " << threads;
    }
  }
  SetNumThreads(before);
}

TEST(PointwiseTest, ShortRowsOfALargeResultAreAllWritten) {
  const Tensor a = slice(Digits(std::array<int64_t, 2>{100'000, 60}, DType::kFloat32, 1), 1, 0, 50);
  const Tensor b = Digits(std::array<int64_t, 1>{50}, DType::kFloat32, 2);
  EXPECT_TRUE(IsSum(add(a, b), a, b));
  const Tensor out = slice(Tensor::Empty({100'000, 70}, DType::kFloat32), 1, 3, 53);
  EXPECT_TRUE(IsSum(add_out(out, a, b), a, b));
}

TEST(PointwiseTest, ComparisonsWriteIntoAnyDType) {
  const Tensor a = Digits(std::array<int64_t, 1>{100}, DType::kFloat32, 0);
  const Tensor out = Tensor::Empty({100}, DType::kFloat64);
  lt_out(out, a, 5);
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(out.data<double>()[i], i * 7 % 10 < 5 ? 1 : 0);
}

TEST(PointwiseTest, AMaskOfBytesChoosesAsOneOfBools) {
  const Tensor mask = Digits(std::array<int64_t, 1>{90}, DType::kUInt8, 0);
  const Tensor chosen = where(mask, ones({90}), zeros({90}));
  for (int64_t i = 0; i < 90; ++i) EXPECT_EQ(chosen.data<float>()[i], i * 7 % 10 != 0 ? 1 : 0);
}

}  // namespace
}  // namespace sy::cpu
