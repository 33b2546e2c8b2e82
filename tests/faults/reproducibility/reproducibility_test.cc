// Each sentence of docs/reproducibility.md, by that document's headings.

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/parallel.h"
#include "testing/replay/call.h"
#include "tests/faults/long.h"
#include "tests/faults/reproducibility/bits.h"

namespace sy {
namespace {

using testing::ForEachCase;
using testing::IsLibraries;
using testing::IsLong;
using testing::RecordedCase;

// Computations so large that threads share them, unlike those recorded.
struct Large {
  const char* name;
  bool cut_by_threads;  // unless deterministic algorithms are asked for
  std::function<Tensor()> compute;
};

Tensor Numbers(const std::vector<int64_t>& sizes, DType dtype = DType::kFloat32) {
  manual_seed(7);
  return to(randn(sizes), dtype);
}
Tensor Square(int64_t n, DType dtype) {
  const Tensor t = Numbers({n, n}, dtype);
  return matmul(t, t);
}

const std::vector<Large>& AllLarge() {
  static const auto* all = new std::vector<Large>{
      {"add", false, [] { return add(Numbers({1 << 20}), Numbers({1 << 20}), 0.3); }},
      {"exp", false, [] { return exp(Numbers({1 << 20})); }},
      {"sum", false, [] { return sum(Numbers({1 << 20})); }},
      {"sum of columns", false,
       [] {
         return sum(Numbers({3000, 700}), {0});
       }},
      {"sum of rows", false,
       [] {
         return sum(Numbers({700, 3000}), {1});
       }},
      {"sum of float16", false, [] { return sum(Numbers({1 << 20}, DType::kFloat16)); }},
      {"prod", false, [] { return prod(add(mul(Numbers({1 << 18}), 1e-4), 1)); }},
      {"var", false, [] { return var(Numbers({1 << 20}), {0}); }},
      {"norm", false, [] { return norm(Numbers({1 << 20})); }},
      {"logsumexp", false,
       [] {
         return logsumexp(Numbers({40, 30000}), {1});
       }},
      {"cumsum", false, [] { return cumsum(Numbers({1 << 20}), 0); }},
      {"softmax", false,
       [] {
         return softmax(Numbers({300, 3000}), 1);
       }},
      {"sort", false, [] { return std::get<0>(sort(Numbers({1 << 18}))); }},
      {"index_add", false,
       [] {
         const Tensor to_rows = remainder(arange(1 << 18), 1000);
         return index_add(zeros({1000}), 0, to_rows, Numbers({1 << 18}));
       }},
      {"randn", false, [] { return Numbers({1 << 20}); }},
      {"fft", false,
       [] {
         return view_as_real(fft_fft(Numbers({64, 4096})));
       }},
      {"mv", false,
       [] {
         return mv(Numbers({1500, 1100}), Numbers({1100}));
       }},
      {"mv of columns", false,
       [] {
         return mv(t(Numbers({1100, 1500})), Numbers({1100}));
       }},
      {"matmul of float32", true, [] { return Square(700, DType::kFloat32); }},
      {"matmul of float64", true, [] { return Square(500, DType::kFloat64); }},
      {"matmul of bfloat16", true, [] { return Square(700, DType::kBFloat16); }},
      {"matmul of complex64", true, [] { return view_as_real(Square(300, DType::kComplex64)); }},
      {"bmm", true,
       [] {
         return bmm(Numbers({3, 260, 300}), Numbers({3, 300, 280}));
       }},
      {"conv2d", true,
       [] {
         return conv2d(Numbers({3, 16, 40, 40}), Numbers({96, 16, 3, 3}));
       }},
      {"conv2d of one", true,
       [] {
         return conv2d(Numbers({1, 16, 60, 60}), Numbers({96, 16, 3, 3}));
       }},
      {"inv", true,
       [] {
         return linalg_inv(Numbers({1500, 1500}));
       }},
  };
  return *all;
}

// A number of threads, and whether results may depend on it, until it goes.
class Setting {
 public:
  Setting(int threads, bool deterministic)
      : threads_(NumThreads()), deterministic_(are_deterministic_algorithms_enabled()) {
    SetNumThreads(threads);
    use_deterministic_algorithms(deterministic);
  }
  ~Setting() {
    SetNumThreads(threads_);
    use_deterministic_algorithms(deterministic_);
  }
  Setting(const Setting&) = delete;

 private:
  int threads_;
  bool deterministic_;
};

class UsingIsa {
 public:
  explicit UsingIsa(cpu::Isa isa) : before_(cpu::ActiveIsa()) { cpu::SetIsa(isa); }
  ~UsingIsa() { cpu::SetIsa(before_); }
  UsingIsa(const UsingIsa&) = delete;

 private:
  cpu::Isa before_;
};

std::string Describe(const RecordedCase& c) {
  return c.place + " " + replay::DescribeCall(c.call, c.blob);
}

class ReproducibilityTest : public ::testing::Test {
 protected:
  void SetUp() override { SetLogLevel(LogLevel::kError); }
};

TEST_F(ReproducibilityTest, ACallRepeatedGivesTheSameBits) {
  const Setting four(4, false);
  int64_t cases = 0;
  ForEachCase(IsLong() ? 1 : 20, [&](const RecordedCase& c) {
    EXPECT_EQ(BitsOf(c), BitsOf(c)) << Describe(c);
    ++cases;
  });
  EXPECT_GT(cases, 1000);
  for (const Large& l : AllLarge()) EXPECT_EQ(BitsOf(l.compute()), BitsOf(l.compute())) << l.name;
}

TEST_F(ReproducibilityTest, DeterministicAlgorithmsGiveTheSameBitsAtAnyNumberOfThreads) {
  ForEachCase(IsLong() ? 1 : 20, [&](const RecordedCase& c) {
    std::string one;
    {
      const Setting alone(1, true);
      one = BitsOf(c);
    }
    const Setting three(3, true);
    EXPECT_EQ(BitsOf(c), one) << Describe(c);
  });
  for (const Large& l : AllLarge()) {
    std::string one;
    {
      const Setting alone(1, true);
      one = BitsOf(l.compute());
    }
    for (const int threads : {2, 3, 8}) {
      const Setting several(threads, true);
      EXPECT_EQ(BitsOf(l.compute()), one) << l.name << ", " << threads << " threads";
    }
  }
}

TEST_F(ReproducibilityTest, WithoutThemOnlyLargeProductsAndFactorisationsDepend) {
  ForEachCase(IsLong() ? 1 : 20, [&](const RecordedCase& c) {
    if (IsLibraries(replay::OpOf(c.call))) return;
    std::string one;
    {
      const Setting alone(1, false);
      one = BitsOf(c);
    }
    const Setting three(3, false);
    EXPECT_EQ(BitsOf(c), one) << Describe(c);
  });
  for (const Large& l : AllLarge()) {
    if (l.cut_by_threads) continue;
    std::string one;
    {
      const Setting alone(1, false);
      one = BitsOf(l.compute());
    }
    for (const int threads : {2, 3, 8}) {
      const Setting several(threads, false);
      EXPECT_EQ(BitsOf(l.compute()), one) << l.name << ", " << threads << " threads";
    }
  }
}

// Names of results' and arguments' dtypes in a recorded call, which say whether it has floats.
bool HasFloats(const replay::Json& json) {
  const std::string text = json.dump();
  return text.find("float") != text.npos || text.find("complex") != text.npos ||
         text.find('.') != text.npos;
}
bool IsOfIntegers(const replay::Json& call) {
  if (!call.contains("out") || HasFloats(call.at("args")) || HasFloats(call.at("out")))
    return false;
  return !call.contains("kwargs") || !HasFloats(call.at("kwargs"));
}
// One rounding of exact operands, or none.
bool IsOneRounding(const RecordedCase& c) {
  static const std::set<std::string, std::less<>> kNames = {"add.Tensor",    "mul.Tensor",
                                                            "sub.Tensor",    "div.Tensor",
                                                            "sqrt",          "neg",
                                                            "abs",           "floor",
                                                            "ceil",          "trunc",
                                                            "round",         "maximum",
                                                            "minimum",       "fmax",
                                                            "fmin",          "max",
                                                            "min",           "eq.Tensor",
                                                            "lt.Tensor",     "ge.Tensor",
                                                            "isnan",         "isinf",
                                                            "sign",          "relu",
                                                            "where.self",    "clone",
                                                            "cat",           "stack",
                                                            "gather",        "index_select",
                                                            "index.Tensor",  "masked_fill.Scalar",
                                                            "take",          "flip",
                                                            "roll",          "permute_copy",
                                                            "sort",          "sort.stable",
                                                            "argsort",       "topk",
                                                            "kthvalue",      "median",
                                                            "_to_copy",      "clamp",
                                                            "fmod.Tensor",   "remainder.Tensor",
                                                            "nextafter",     "copysign.Tensor",
                                                            "masked_select", "scatter.src",
                                                            "tril"};
  if (!kNames.contains(replay::OpOf(c.call))) return false;
  if (c.call.at("args").dump().find("complex") != std::string::npos) return false;
  return !c.call.contains("kwargs") || !c.call.at("kwargs").contains("alpha");
}

TEST_F(ReproducibilityTest, InstructionSetsAgreeOnIntegersAndOnWhatIsOneRounding) {
  int64_t integers = 0, roundings = 0;
  ForEachCase(IsLong() ? 1 : 3, [&](const RecordedCase& c) {
    const bool integer = IsOfIntegers(c.call), rounding = IsOneRounding(c);
    if (!integer && !rounding) return;
    (integer ? integers : roundings) += 1;
    std::string first;
    for (int isa = cpu::kBaseline; isa <= cpu::BestIsa(); ++isa) {
      const UsingIsa with(static_cast<cpu::Isa>(isa));
      const std::string bits = BitsOf(c);
      if (isa == cpu::kBaseline) first = bits;
      EXPECT_EQ(bits, first) << cpu::Name(cpu::ActiveIsa()) << ": " << Describe(c);
    }
  });
  EXPECT_GT(integers, 500);
  EXPECT_GT(roundings, 200);
}

TEST_F(ReproducibilityTest, RandomNumbersAreTheSameOnEveryInstructionSet) {
  std::set<std::string> bits;
  for (int isa = cpu::kBaseline; isa <= cpu::BestIsa(); ++isa) {
    const UsingIsa with(static_cast<cpu::Isa>(isa));
    manual_seed(3);
    bits.insert(BitsOf(rand({1000})) + BitsOf(randint(1000, {1000})) + BitsOf(randperm(1000)) +
                BitsOf(bernoulli(full({1000}, 0.3))));
  }
  EXPECT_EQ(bits.size(), 1u);
}

}  // namespace
}  // namespace sy
