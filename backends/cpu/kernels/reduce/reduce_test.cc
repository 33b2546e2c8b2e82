// Reductions against plain loops in double precision, over layouts that take every way through the
// engine, on every instruction set that the processor has.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/half.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Ints = std::vector<int64_t>;

// A float32 tensor of `sizes` whose dimensions lie in memory in the order `order`, outermost first,
// every `gap`-th element of it.
Tensor Random(const Ints& sizes, const Ints& order, int64_t gap) {
  Ints strides(sizes.size());
  int64_t n = gap;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = n;
    n *= sizes[order[i]];
  }
  const Tensor t = Tensor::EmptyStrided(sizes, strides, DType::kFloat32);
  std::mt19937 random(7);
  std::uniform_int_distribution<int> any(-50, 50);
  float* p = t.data<float>();
  for (int64_t i = 0; i + gap - 1 < n; i += gap) p[i] = static_cast<float>(any(random));
  return t;
}

struct Reference {
  double sum = 0, squares = 0, max = -INFINITY;
  int64_t argmax = -1, count = 0;
};

// For each output of reducing `mask`, row-major, keeping no reduced dimension.
std::vector<Reference> Expected(const Tensor& t, uint64_t mask) {
  int64_t outputs = 1;
  for (int64_t d = 0; d < t.dim(); ++d) outputs *= (mask >> d & 1) != 0 ? 1 : t.size(d);
  std::vector<Reference> r(outputs);
  for (int64_t i = 0; i < t.numel(); ++i) {
    int64_t rest = i, at = 0, out = 0, scale = 1;
    for (int64_t d = t.dim() - 1; d >= 0; --d) {
      const int64_t k = rest % t.size(d);
      rest /= t.size(d);
      at += k * t.stride(d);
      if ((mask >> d & 1) != 0) continue;
      out += k * scale;
      scale *= t.size(d);
    }
    Reference& o = r[out];
    const double x = t.data<float>()[at];
    o.sum += x;
    o.squares += x * x;
    if (x > o.max) {
      o.max = x;
      o.argmax = o.count;
    }
    ++o.count;
  }
  return r;
}

void ForEachIsa(const std::function<void()>& f) {
  for (int isa = cpu::kBaseline; isa <= cpu::BestIsa(); ++isa) {
    cpu::SetIsa(static_cast<cpu::Isa>(isa));
    SCOPED_TRACE(cpu::Name(static_cast<cpu::Isa>(isa)));
    f();
  }
}

Ints DimsOf(uint64_t mask, int64_t rank) {
  Ints dims;
  for (int64_t d = 0; d < rank; ++d) {
    if ((mask >> d & 1) != 0) dims.push_back(d);
  }
  return dims;
}

struct Layout {
  Ints sizes, order;
  int64_t gap;
};

class ReduceLayoutTest : public testing::TestWithParam<Layout> {};

TEST_P(ReduceLayoutTest, SumsOfEverySetOfDimensionsAreThoseOfALoop) {
  const Layout& l = GetParam();
  const Tensor t = Random(l.sizes, l.order, l.gap);
  ForEachIsa([&] {
    for (uint64_t mask = 1; mask < uint64_t{1} << t.dim(); ++mask) {
      const std::vector<Reference> expected = Expected(t, mask);
      const Tensor s = sum(t, IntSpan(DimsOf(mask, t.dim())));
      ASSERT_EQ(s.numel(), static_cast<int64_t>(expected.size()));
      for (size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(s.data<float>()[i], expected[i].sum) << "mask " << mask << " output " << i;
    }
  });
}

TEST_P(ReduceLayoutTest, MaxOfEachDimensionNamesTheFirstOfEqualElements) {
  const Layout& l = GetParam();
  const Tensor t = Random(l.sizes, l.order, l.gap);
  ForEachIsa([&] {
    for (int64_t d = 0; d < t.dim(); ++d) {
      const std::vector<Reference> expected = Expected(t, uint64_t{1} << d);
      const auto [values, indices] = max(t, d);
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(values.data<float>()[i], expected[i].max) << "dim " << d << " output " << i;
        ASSERT_EQ(indices.data<int64_t>()[i], expected[i].argmax) << "dim " << d << " output " << i;
      }
    }
  });
}

TEST_P(ReduceLayoutTest, ArgmaxOfAllCountsInLogicalOrder) {
  const Layout& l = GetParam();
  const Tensor t = Random(l.sizes, l.order, l.gap);
  ForEachIsa([&] { EXPECT_EQ(argmax(t).data<int64_t>()[0], Expected(t, ~uint64_t{0})[0].argmax); });
}

TEST_P(ReduceLayoutTest, StdOfEverySetOfDimensionsIsThatOfALoop) {
  const Layout& l = GetParam();
  const Tensor t = Random(l.sizes, l.order, l.gap);
  ForEachIsa([&] {
    for (uint64_t mask = 1; mask < uint64_t{1} << t.dim(); ++mask) {
      const std::vector<Reference> expected = Expected(t, mask);
      const Tensor s = std(t, IntSpan(DimsOf(mask, t.dim())), Scalar(0));
      for (size_t i = 0; i < expected.size(); ++i) {
        const Reference& e = expected[i];
        const double n = static_cast<double>(e.count), mean = e.sum / n;
        ASSERT_NEAR(s.data<float>()[i], std::sqrt(e.squares / n - mean * mean), 1e-4)
            << "mask " << mask << " output " << i;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Layouts, ReduceLayoutTest,
                         testing::Values(Layout{{1}, {0}, 1}, Layout{{7}, {0}, 1},
                                         Layout{{5000}, {0}, 3}, Layout{{70, 90}, {0, 1}, 1},
                                         Layout{{70, 90}, {1, 0}, 1}, Layout{{3, 1000}, {0, 1}, 1},
                                         Layout{{3, 1000}, {1, 0}, 1}, Layout{{1000, 3}, {0, 1}, 2},
                                         Layout{{6, 1, 40, 11}, {0, 1, 2, 3}, 1},
                                         Layout{{6, 5, 40, 11}, {0, 2, 3, 1}, 1},
                                         Layout{{9, 300, 20}, {2, 0, 1}, 1},
                                         Layout{{130, 2, 130}, {0, 1, 2}, 2}));

Tensor Vector(const std::vector<float>& v) {
  const Tensor t = Tensor::Empty({static_cast<int64_t>(v.size())}, DType::kFloat32);
  std::copy(v.begin(), v.end(), t.data<float>());
  return t;
}
float Number(const Tensor& t) { return item(t).To<float>(); }

TEST(ReduceTest, NothingSumsToZeroAndMultipliesToOne) {
  const Tensor t = Tensor::Empty({2, 0}, DType::kFloat32);
  EXPECT_EQ(Number(sum(t)), 0);
  EXPECT_EQ(prod(t, 1).data<float>()[1], 1);
  EXPECT_TRUE(std::isnan(Number(mean(t))));
  EXPECT_TRUE(std::isnan(std(t, {1}, Scalar(1)).data<float>()[0]));
  EXPECT_TRUE(item(all(t)).To<bool>());
  EXPECT_FALSE(item(any(t)).To<bool>());
}

TEST(ReduceTest, NothingHasNoMaximum) {
  const Tensor t = Tensor::Empty({2, 0}, DType::kFloat32);
  EXPECT_THROW(max(t), Error);
  EXPECT_THROW(argmax(t, 1), Error);
  EXPECT_EQ(std::get<0>(max(t, 0)).numel(), 0);
}

TEST(ReduceTest, AZeroDimensionalTensorReducesToItself) {
  const Tensor t = full({}, Scalar(2.5), DType::kFloat32);
  EXPECT_EQ(Number(sum(t, {0})), 2.5f);
  EXPECT_EQ(item(argmax(t)).To<int64_t>(), 0);
  EXPECT_EQ(Number(std(t, {}, Scalar(0))), 0);
}

TEST(ReduceTest, TheFirstNanIsTheMaximumWhereverItLies) {
  ForEachIsa([] {
    for (size_t n : {3u, 40u, 700u, 5000u}) {
      for (size_t at = 0; at < n; at += n / 3 + 1) {
        std::vector<float> v(n, 1);
        v[at] = v[n - 1] = NAN;
        const Tensor t = Vector(v);
        ASSERT_TRUE(std::isnan(Number(max(t)))) << n << " " << at;
        ASSERT_TRUE(std::isnan(Number(min(t)))) << n << " " << at;
        ASSERT_EQ(item(argmax(t)).To<int64_t>(), static_cast<int64_t>(at)) << n;
        ASSERT_TRUE(std::isnan(Number(sum(t)))) << n << " " << at;
      }
    }
  });
}

TEST(ReduceTest, PositionsOfBytesGoBeyondWhatAByteCounts) {
  ForEachIsa([] {
    const Tensor t = zeros({20000}, DType::kInt8);
    t.data<int8_t>()[17321] = 1;
    EXPECT_EQ(item(argmax(t)).To<int64_t>(), 17321);
    const Tensor columns = zeros({20000, 40}, DType::kInt8);
    columns.data<int8_t>()[17321 * 40 + 39] = 1;
    EXPECT_EQ(argmax(columns, 0).data<int64_t>()[39], 17321);
    EXPECT_EQ(argmax(columns, 0).data<int64_t>()[38], 0);
  });
}

TEST(ReduceTest, IntegersSumInInt64) {
  const Tensor t = full({100000}, Scalar(100), DType::kInt8);
  const Tensor s = sum(t);
  EXPECT_EQ(s.dtype(), DType::kInt64);
  EXPECT_EQ(s.data<int64_t>()[0], 10000000);
  EXPECT_EQ(sum(full({300}, Scalar(true), DType::kBool)).data<int64_t>()[0], 300);
}

TEST(ReduceTest, BytesSumAndMultiplyAsTheInt64sTheyAre) {
  ForEachIsa([] {
    for (const DType dtype : {DType::kBool, DType::kUInt8}) {
      const Tensor x = to(remainder(view(arange(70 * 133), {70, 133}), 251), dtype);
      const Tensor wide = to(x, DType::kInt64);
      for (int64_t dim : {0, 1}) {
        EXPECT_TRUE(equal(sum(x, {dim}), sum(wide, {dim})));
        EXPECT_TRUE(equal(prod(x, dim), prod(wide, dim)));
        EXPECT_TRUE(equal(sum(transpose(x, 0, 1), {dim}), sum(transpose(wide, 0, 1), {dim})));
      }
      EXPECT_TRUE(equal(sum(x), sum(wide)));
    }
  });
}

TEST(ReduceTest, CountsWhatIsNotZeroInEveryDType) {
  const Tensor x = remainder(view(arange(300 * 70), {300, 70}), 3);
  for (const DType dtype : {DType::kBool, DType::kUInt8, DType::kInt8, DType::kInt16, DType::kInt64,
                            DType::kFloat16, DType::kFloat32, DType::kComplex64}) {
    const Tensor t = to(x, dtype);
    EXPECT_EQ(count_nonzero(t).data<int64_t>()[0], 14000) << Name(dtype);
    for (int64_t dim : {0, 1})
      EXPECT_TRUE(equal(count_nonzero(t, dim), sum(ne(x, 0), {dim}))) << Name(dtype);
  }
  EXPECT_EQ(count_nonzero(Vector({-0.0F, NAN, 0.0F})).data<int64_t>()[0], 1);
}

TEST(ReduceTest, HalvesSumInFloat32) {
  const Tensor s = sum(ones({60000}, DType::kFloat16));
  EXPECT_EQ(Number(s), 60000 - 60000 % 32);  // one rounding, to float16's 11 bits
  EXPECT_EQ(Number(sum(ones({30000}, DType::kBFloat16))), 29952);
}

TEST(ReduceTest, ATruthOfBytesIsAByteOfOne) {
  const Tensor t = full({5}, Scalar(7), DType::kUInt8);
  const Tensor r = any(t);
  EXPECT_EQ(r.dtype(), DType::kUInt8);
  EXPECT_EQ(r.data<uint8_t>()[0], 1);
}

TEST(ReduceTest, OutAndKeepdimTakeTheResultInTheirStrides) {
  const Tensor t = Random({4, 30}, {0, 1}, 1);
  const Tensor out = zeros({4, 2, 3}, DType::kFloat32);
  const Tensor column = out.AsStrided(Ints{4, 1}, Ints{6, 1}, 2);
  sum_out(column, t, {1}, /*keepdim=*/true);
  const std::vector<Reference> expected = Expected(t, 2);
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(out.data<float>()[6 * i + 2], expected[i].sum);
  EXPECT_EQ(out.data<float>()[3], 0);
}

TEST(ReduceTest, TheVarianceOfLargeNumbersKeepsItsDigits) {
  std::vector<float> v(100000);
  for (size_t i = 0; i < v.size(); ++i) v[i] = 1e6f + static_cast<float>(i % 3);
  EXPECT_NEAR(Number(std(Vector(v), false)), std::sqrt(2.0 / 3), 1e-5);
}

// The numbers 0 … n - 1 have variance (n² - 1) / 12.
TEST(ReduceTest, DeviationsOfUnevenPiecesCombineByTheirCounts) {
  const int64_t rows = 1301, columns = 803, n = rows * columns;
  const Tensor t = Tensor::Empty({rows, columns}, DType::kFloat64);
  for (int64_t i = 0; i < n; ++i) t.data<double>()[i] = static_cast<double>(i);
  const auto deviation = [](int64_t count, int64_t step) {
    return static_cast<double>(step) *
           std::sqrt((static_cast<double>(count) * static_cast<double>(count) - 1) / 12);
  };
  ForEachIsa([&] {
    EXPECT_NEAR(item(std(t, false)).To<double>() / deviation(n, 1), 1, 1e-12);
    EXPECT_NEAR(std(t, {0}, Scalar(0)).data<double>()[5] / deviation(rows, columns), 1, 1e-12);
    EXPECT_NEAR(std(t, {1}, Scalar(0)).data<double>()[5] / deviation(columns, 1), 1, 1e-12);
  });
}

TEST(ReduceTest, InfinityHasNoDeviation) {
  EXPECT_TRUE(std::isnan(Number(std(Vector({INFINITY}), false))));
  EXPECT_TRUE(std::isnan(Number(std(Vector({1, INFINITY, 2, 3}), false))));
}

// A float has 24 bits: adding 0.1 one by one is off by more than 1 % long before 2^24 elements.
TEST(ReduceTest, SumsOfManyFloatsStayExactToAFewUnits) {
  const int64_t n = (int64_t{1} << 22) + 5;
  const Tensor t = full({n}, Scalar(0.1), DType::kFloat32);
  const double exact = static_cast<double>(n) * 0.1f;
  ForEachIsa([&] {
    EXPECT_NEAR(Number(sum(t)), exact, exact * 1e-6);
    const Tensor columns = t.AsStrided(Ints{n / 4, 4}, Ints{4, 1}, 0);
    EXPECT_NEAR(sum(columns, {0}).data<float>()[3], exact / 4, exact * 1e-6);
    const Tensor wide = t.AsStrided(Ints{n / 64, 64}, Ints{64, 1}, 0);
    EXPECT_NEAR(sum(wide, {0}).data<float>()[3], exact / 64, exact * 1e-6);
  });
}

TEST(ReduceTest, ResultsDoNotDependOnTheNumberOfThreads) {
  const int before = NumThreads();
  const Tensor t = Random({1500, 1001}, {0, 1}, 1);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] *= 0.1f;
  const auto results = [&] {
    std::vector<float> r = {Number(sum(t)), Number(std(t)), Number(mean(t))};
    for (int64_t d : {0, 1}) {
      const Tensor s = sum(t, IntSpan(&d, 1));
      r.insert(r.end(), s.data<float>(), s.data<float>() + s.numel());
    }
    return r;
  };
  SetNumThreads(1);
  const std::vector<float> one = results();
  for (int threads : {2, 3, 5}) {
    SetNumThreads(threads);
    EXPECT_EQ(results(), one) << threads;
  }
  SetNumThreads(before);
}

TEST(ReduceTest, AnExpandedDimensionCountsItsElement) {
  const Tensor t = Vector({3, 4}).AsStrided(Ints{100, 2}, Ints{0, 1}, 0);
  EXPECT_EQ(Number(sum(t)), 700);
  EXPECT_EQ(sum(t, {0}).data<float>()[1], 400);
  EXPECT_EQ(argmax(t, 0).data<int64_t>()[1], 0);
}

TEST(SpreadTest, OfNothingIsNaNWhateverTheCorrection) {
  EXPECT_TRUE(std::isnan(item(var(zeros({2, 0}), IntSpan(), Scalar(-5))).To<double>()));
}

}  // namespace
}  // namespace sy
