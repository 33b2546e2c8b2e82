// What programs set for the process or a thread.

#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "switchyard/core/deterministic.h"
#include "switchyard/core/error.h"
#include "switchyard/core/flush_denormal.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/matmul_precision.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/printing.h"

namespace sy {
namespace {

TEST(DeterministicTest, ModesAreNumbersWordsAndTwoFlags) {
  EXPECT_EQ(get_deterministic_debug_mode(), 0);
  set_deterministic_debug_mode("warn");
  EXPECT_TRUE(are_deterministic_algorithms_enabled());
  EXPECT_TRUE(is_deterministic_algorithms_warn_only_enabled());
  EXPECT_EQ(get_deterministic_debug_mode(), 1);
  use_deterministic_algorithms(true);
  EXPECT_FALSE(is_deterministic_algorithms_warn_only_enabled());
  EXPECT_EQ(get_deterministic_debug_mode(), 2);
  EXPECT_THROW(set_deterministic_debug_mode(3), Error);
  EXPECT_THROW(set_deterministic_debug_mode("loud"), Error);
  EXPECT_EQ(get_deterministic_debug_mode(), 2);
  set_deterministic_debug_mode(0);
  EXPECT_FALSE(are_deterministic_algorithms_enabled());
}

TEST(MatmulPrecisionTest, IsOneOfThreeWords) {
  EXPECT_EQ(get_float32_matmul_precision(), "highest");
  EXPECT_FALSE(internal::MayRoundFactors());
  set_float32_matmul_precision("medium");
  EXPECT_EQ(get_float32_matmul_precision(), "medium");
  EXPECT_TRUE(internal::MayRoundFactors());
  EXPECT_THROW(set_float32_matmul_precision("low"), Error);
  EXPECT_EQ(get_float32_matmul_precision(), "medium");
  set_float32_matmul_precision("highest");
}

TEST(FlushDenormalTest, ThreadsThatHelpComputeAsTheOneThatCalled) {
#if defined(__x86_64__) || defined(__aarch64__)
  ASSERT_TRUE(set_flush_denormal(true));
#else  // there is no such mode
  EXPECT_FALSE(set_flush_denormal(true));
  EXPECT_FALSE(flushes_denormal());
  return;
#endif
  EXPECT_TRUE(flushes_denormal());
  volatile float least = std::numeric_limits<float>::min();
  EXPECT_EQ(least / 2, 0);
  const int before = NumThreads();
  SetNumThreads(3);
  const auto all_flush = [] {
    std::atomic<int> flushing{0};
    ParallelFor(3, 1, [&](int64_t begin, int64_t end) {
      if (flushes_denormal()) flushing += static_cast<int>(end - begin);
    });
    return flushing.load();
  };
  EXPECT_EQ(all_flush(), 3);
  EXPECT_TRUE(set_flush_denormal(false));
  EXPECT_EQ(all_flush(), 0);
  SetNumThreads(before);
  EXPECT_NE(least / 2, 0);
}

TEST(WarnAlwaysTest, IsOffUntilSet) {
  EXPECT_FALSE(is_warn_always_enabled());
  set_warn_always(true);
  EXPECT_TRUE(is_warn_always_enabled());
  set_warn_always(false);
}

TEST(PrintOptionsTest, TextsWithoutOptionsGoByThoseOfTheProcess) {
  const Tensor t = tensor({0.123456, 2.5});
  EXPECT_EQ(ToString(t), "tensor([0.1235, 2.5000])");
  set_printoptions({.precision = 1});
  EXPECT_EQ(ToString(t), "tensor([0.1, 2.5])");
  EXPECT_EQ(ToString(t, {}), "tensor([0.1235, 2.5000])");
  PrintOptions options = get_printoptions();
  options.sci_mode = true;
  set_printoptions(options);
  EXPECT_EQ(ToString(t), "tensor([1.2e-01, 2.5e+00])");
  set_printoptions("default");
  EXPECT_EQ(ToString(t), "tensor([0.1235, 2.5000])");
}

TEST(PrintOptionsTest, ProfilesHaveNames) {
  set_printoptions("short");
  EXPECT_EQ(get_printoptions().precision, 2);
  EXPECT_EQ(get_printoptions().edgeitems, 2);
  set_printoptions("full");
  EXPECT_EQ(get_printoptions().precision, 4);
  EXPECT_EQ(get_printoptions().threshold, std::numeric_limits<int64_t>::max());
  EXPECT_THROW(set_printoptions("long"), Error);
  EXPECT_THROW(set_printoptions({.linewidth = -1}), Error);
  set_printoptions("default");
  EXPECT_EQ(get_printoptions().threshold, 1000);
}

}  // namespace
}  // namespace sy
