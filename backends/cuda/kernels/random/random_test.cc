// Random numbers against the stream that core/philox_generator.h defines, drawn on the host.

#include <algorithm>
#include <cmath>

#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/philox_generator.h"

namespace sy::cuda {
namespace {

// The words that an operator's call takes, right after seeding.
std::vector<uint32_t> WordsOf(uint64_t seed, size_t n) {
  PhiloxGenerator g(Cuda());
  g.manual_seed(seed);
  std::vector<uint32_t> words(n);
  g.Draw(words);
  return words;
}
Tensor Filled(const char* op, std::vector<int64_t> sizes, DType dtype, auto... args) {
  manual_seed(11);
  const Tensor t = Tensor::Empty(sizes, dtype, Cuda());
  call(op, t, args...);
  return ToHost(t);
}

TEST(RandomTest, UniformFloatsTakeAWordEach) {
  const Tensor t = Filled("uniform_", {1001}, DType::kFloat32);
  const std::vector<uint32_t> words = WordsOf(11, 1001);
  for (size_t i = 0; i < 1001; ++i)
    ASSERT_EQ(t.data<float>()[i], static_cast<float>(words[i] & 0xffffff) * 0x1p-24f) << i;
}
TEST(RandomTest, UniformDoublesTakeTwo) {
  const Tensor t = Filled("uniform_", {33}, DType::kFloat64, 2.0, 3.0);
  const std::vector<uint32_t> words = WordsOf(11, 66);
  for (size_t i = 0; i < 33; ++i) {
    const uint64_t bits = (uint64_t{words[2 * i]} << 32 | words[2 * i + 1]) & ((1ull << 53) - 1);
    ASSERT_EQ(t.data<double>()[i], std::fma(static_cast<double>(bits) * 0x1p-53, 1.0, 2.0)) << i;
  }
}
TEST(RandomTest, IntegersAreRemainders) {
  const Tensor t = Filled("random_.from", {50}, DType::kInt64, int64_t{-5}, int64_t{12});
  const std::vector<uint32_t> words = WordsOf(11, 50);
  for (size_t i = 0; i < 50; ++i)
    ASSERT_EQ(t.data<int64_t>()[i], static_cast<int64_t>(words[i] % 17) - 5) << i;
}
TEST(RandomTest, NormalsPairEightApart) {
  for (int64_t n : {16, 32, 40, 1000}) {
    const Tensor t = Filled("normal_", {n}, DType::kFloat64);
    const size_t counters = (2 * static_cast<size_t>(n) + 3) / 4;
    const std::vector<uint32_t> words = WordsOf(11, 4 * counters + 32);
    const auto uniform = [&](size_t word) {
      const uint64_t bits = (uint64_t{words[word]} << 32 | words[word + 1]) & ((1ull << 53) - 1);
      return static_cast<double>(bits) * 0x1p-53;
    };
    const auto check = [&](size_t first_word, size_t at) {
      for (size_t j = 0; j < 8; ++j) {
        const double radius = std::sqrt(-2 * std::log(1 - uniform(first_word + 2 * j)));
        const double angle = 2 * M_PI * uniform(first_word + 2 * (j + 8));
        EXPECT_NEAR(t.data<double>()[at + j], radius * std::cos(angle), 1e-12) << n;
        EXPECT_NEAR(t.data<double>()[at + j + 8], radius * std::sin(angle), 1e-12) << n;
      }
    };
    const size_t size = static_cast<size_t>(n), end = size % 16 == 0 ? size : size - 16;
    for (size_t block = 0; block + 16 <= end; block += 16) check(2 * block, block);
    if (size % 16 != 0) check(4 * counters, size - 16);
  }
}
TEST(RandomTest, FewNormalsComeInSequence) {
  const Tensor t = Filled("normal_", {5}, DType::kFloat32, 1.0, 2.0);
  double sum = 0;
  for (int i = 0; i < 5; ++i) sum += std::abs(t.data<float>()[i]);
  EXPECT_GT(sum, 0);
  ExpectClose(Filled("normal_", {5}, DType::kFloat32, 1.0, 2.0), t, 0);
}
TEST(RandomTest, TruthsHaveTheirProbability) {
  const Tensor t = Filled("bernoulli_.float", {4000}, DType::kBool, 0.25);
  int64_t n = 0;
  for (int i = 0; i < 4000; ++i) n += t.data<bool>()[i] ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(n) / 4000, 0.25, 0.03);
}
// The host's kernels draw from a Philox stream as well, when they are given one.
void ExpectDrawsAsOnHost(double tolerance, std::string_view op, const Tensor& host, auto... args) {
  PhiloxGenerator here(Device{kHost}), there(Cuda());
  here.manual_seed(5);
  there.manual_seed(5);
  const Tensor cuda = ToCuda(host);
  call(op, host, args..., kw("generator", &here));
  call(op, cuda, ToCuda(args)..., kw("generator", &there));
  ExpectClose(cuda, host, tolerance);
  uint32_t a, b;  // the streams go on at one place
  here.Draw({&a, 1});
  there.Draw({&b, 1});
  EXPECT_EQ(a, b) << op;
}
Tensor Ones(std::vector<int64_t> sizes, DType dtype) { return call("ones", sizes, dtype).take(); }

TEST(RandomTest, DistributionsAreTheHosts) {
  const std::pair<DType, double> dtypes[] = {{DType::kFloat16, 2e-3},
                                             {DType::kBFloat16, 2e-2},
                                             {DType::kFloat32, 1e-6},
                                             {DType::kFloat64, 1e-12}};
  for (const auto& [d, tolerance] : dtypes) {
    for (std::vector<int64_t> sizes : {std::vector<int64_t>{}, {5}, {37, 41}}) {
      ExpectDrawsAsOnHost(tolerance, "cauchy_", Ones(sizes, d), 1.0, 2.0);
      ExpectDrawsAsOnHost(tolerance, "exponential_", Ones(sizes, d), 1.5);
      ExpectDrawsAsOnHost(tolerance, "log_normal_", Ones(sizes, d), 0.5, 0.25);
      ExpectDrawsAsOnHost(0, "geometric_", Ones(sizes, d), 0.2);
    }
  }
  for (DType d : {DType::kInt8, DType::kInt64})
    ExpectDrawsAsOnHost(0, "geometric_", Ones({100}, d), 0.2);
}
TEST(RandomTest, TensorsAreFilledInTheOrderOfMemory) {
  const auto turned = [](DType d) {
    return call("transpose.int", Ones({4, 3, 5}, d), 0, 2).take();
  };
  ExpectDrawsAsOnHost(0, "uniform_", turned(DType::kFloat32), 0.0, 1.0);
  ExpectDrawsAsOnHost(1e-12, "normal_", turned(DType::kFloat64), 0.0, 1.0);
  ExpectDrawsAsOnHost(1e-12, "exponential_", turned(DType::kFloat64), 1.0);
  const Tensor apart = call("select.int", turned(DType::kFloat64), 1, 1).take();  // with gaps
  ExpectDrawsAsOnHost(1e-12, "cauchy_", apart, 0.0, 1.0);
}
TEST(RandomTest, TruthsOfGivenProbabilities) {
  for (DType p : {DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    const Tensor at = call("to.dtype", tensor({0.1, 0.5, 0.9, 0., 1.}), p).take();
    for (DType d : {DType::kBool, DType::kUInt8, DType::kInt64, DType::kFloat16, DType::kFloat64})
      ExpectDrawsAsOnHost(0, "bernoulli_.Tensor", Ones({30, 5}, d), at);
    ExpectDrawsAsOnHost(0, "bernoulli_.Tensor",
                        call("transpose.int", Ones({5, 6}, DType::kFloat32), 0, 1).take(), at);
  }
  const Tensor out = ToCuda(Ones({2}, DType::kFloat32));
  call("bernoulli_.Tensor", out, ToCuda(tensor({0.5, 1.5})));
  EXPECT_THROW(Synchronize(Cuda()), Error);
}
TEST(RandomTest, RreluDrawsForWhatIsNotPositive) {
  for (DType d : {DType::kFloat16, DType::kFloat32, DType::kFloat64}) {
    const Tensor x = Tensor::Empty({7, 100}, DType::kFloat64);
    for (int64_t i = 0; i < x.numel(); ++i)
      x.data<double>()[i] = static_cast<double>(i * 37 % 101 - 50) / 10;
    x.data<double>()[3] = NAN;
    const Tensor narrow = call("to.dtype", x, d).take();
    const double tolerance = d == DType::kFloat16 ? 1e-3 : 1e-6;
    for (bool training : {true, false})
      ExpectDrawsAsOnHost(tolerance, "rrelu_", narrow, 0.1, 0.4, training);
  }
}

TEST(RandomTest, NumbersAtEqualDistances) {
  ExpectClose(call("arange.start_step", 3, 20, 2, kw("device", Cuda())).take(),
              call("arange.start_step", 3, 20, 2).take(), 0);
  ExpectClose(call("arange.start_step", 0.5, 4.0, 0.25, kw("device", Cuda())).take(),
              call("arange.start_step", 0.5, 4.0, 0.25).take(), 0);
}

TEST(RandpermTest, IsTheOrderOfRandomBits) {
  for (DType d : {DType::kInt64, DType::kInt16, DType::kFloat32}) {
    manual_seed(5);
    const Tensor got = call("randperm", 300, kw("dtype", d), kw("device", Cuda())).take();
    const std::vector<uint32_t> words = WordsOf(5, 600);
    const Tensor bits = Tensor::Empty({300}, DType::kInt64);
    for (size_t i = 0; i < 300; ++i) {
      bits.data<int64_t>()[i] =
          static_cast<int64_t>(uint64_t{words[2 * i]} << 32 | words[2 * i + 1]);
    }
    ExpectClose(got, call("to.dtype", call("argsort", bits).take(), d).take(), 0);
  }
  EXPECT_EQ(call("randperm", 0, kw("device", Cuda())).take().numel(), 0);
}

double Uniform(const std::vector<uint32_t>& words, size_t pair) {
  const uint64_t bits = uint64_t{words[2 * pair]} << 32 | words[2 * pair + 1];
  return static_cast<double>(bits & ((1ull << 53) - 1)) * 0x1p-53;
}
TEST(MultinomialTest, DrawsByTheGeneratorsWords) {
  const Tensor p =
      call("to.dtype", tensor({{0.125, 0.0, 0.375, 0.5}, {3., 1., 0., 0.}}), DType::kFloat64)
          .take();
  const std::vector<uint32_t> words = WordsOf(7, 80);
  const bool replacement = true;
  manual_seed(7);
  const Tensor with = ToHost(call("multinomial", ToCuda(p), 20, replacement).take());
  for (size_t r = 0; r < 2; ++r) {
    for (size_t s = 0; s < 20; ++s) {
      const double u = Uniform(words, r * 20 + s);
      const double ends[2][4] = {{0.125, 0.125, 0.5, 1}, {0.75, 1, 1, 1}};
      int64_t expected = 0;
      while (ends[r][expected] < u) ++expected;
      EXPECT_EQ(with.data<int64_t>()[r * 20 + s], expected) << r << ", " << s;
    }
  }
  manual_seed(7);
  const Tensor without = ToHost(call("multinomial", ToCuda(p), 2).take());
  for (size_t r = 0; r < 2; ++r) {
    std::vector<std::pair<double, int64_t>> race;
    for (size_t i = 0; i < 4; ++i) {
      const double q = -std::log1p(-Uniform(words, r * 4 + i));
      race.emplace_back(-p.data<double>()[r * 4 + i] / q, i);
    }
    std::ranges::sort(race);
    for (size_t s = 0; s < 2; ++s)
      EXPECT_EQ(without.data<int64_t>()[r * 2 + s], race[s].second) << r << ", " << s;
  }
  for (DType d : {DType::kFloat16, DType::kBFloat16, DType::kFloat32}) {
    const Tensor one = tensor({0.f, 0.f, 2.f});
    const Tensor there = ToCuda(call("to.dtype", one, d).take());
    ExpectClose(call("multinomial", there, 1).take(), tensor({int64_t{2}}), 0);
    ExpectClose(call("multinomial", there, 3, replacement).take(),
                tensor({int64_t{2}, int64_t{2}, int64_t{2}}), 0);
  }
}
TEST(MultinomialTest, ReportsWhatIsNoProbability) {
  const auto expect = [](const Tensor& p, std::string_view text) {
    call("multinomial", ToCuda(p), 1);
    try {
      CurrentStream(Cuda()).Synchronize();
      ADD_FAILURE() << "nothing was reported";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kInvalidValue);
      EXPECT_EQ(e.message(), text);
    }
  };
  expect(tensor({{1.f, 2.f}, {1.f, -0.5f}}),
         "multinomial(): probabilities must be finite and not negative, got -0.5 at position 1 of "
         "row 1");
  expect(tensor({{1.f, 2.f}, {0.f, 0.f}}), "multinomial(): probabilities of row 1 are all 0");
}

Tensor Constant(double x, int64_t n) {
  const Tensor t = Tensor::Empty({n}, DType::kFloat64);
  std::fill_n(t.data<double>(), n, x);
  return ToCuda(t);
}
double MeanOf(const Tensor& t) {
  const Tensor host = ToHost(t);
  double sum = 0;
  for (int64_t i = 0; i < host.numel(); ++i) sum += host.data<double>()[i];
  return sum / static_cast<double>(host.numel());
}

TEST(CountsTest, FollowTheirDistributions) {
  constexpr int64_t kN = 4096;
  manual_seed(5);
  for (const double rate : {0., 0.5, 4., 30.}) {
    const Tensor t = call("poisson", Constant(rate, kN)).take();
    EXPECT_NEAR(MeanOf(t), rate, 5 * std::sqrt(rate / kN)) << rate;
  }
  for (const double p : {0., 0.1, 0.6, 1.}) {
    for (const double n : {7., 300.}) {
      const Tensor t = call("binomial", Constant(n, kN), Constant(p, kN)).take();
      EXPECT_NEAR(MeanOf(t), n * p, 5 * std::sqrt(n * p * (1 - p) / kN)) << n << ", " << p;
    }
  }
}
TEST(CountsTest, AreThoseOfTheSeed) {
  manual_seed(5);
  const Tensor first = ToHost(call("poisson", Constant(3, 50)).take());
  manual_seed(5);
  ExpectClose(call("poisson", Constant(3, 50)).take(), first, 0);
}
TEST(CountsTest, ReportARateBelowZero) {
  call("poisson", Constant(-1, 3));
  try {
    CurrentStream(Cuda()).Synchronize();
    ADD_FAILURE() << "nothing was reported";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidValue);
    EXPECT_EQ(e.message(), "poisson(): rates must not be negative, got -1");
  }
}

}  // namespace
}  // namespace sy::cuda
