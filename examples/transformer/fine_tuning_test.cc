// Fine-tuning against the losses that PyTorch gave (record_fine_tuning.py).
#include "examples/transformer/fine_tuning.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "examples/transformer/testing.h"

namespace transformer {
namespace {

void ExpectGolden(const std::string& run, const Sizes& sizes, const FineTuningOptions& options) {
  const std::vector<double> golden = ReadGolden(run);
  ASSERT_GE(golden.size(), 3u);
  const Encoder encoder(sizes, /*seed=*/0);
  FineTuning tuning(encoder, options);
  const auto [left, right] = Pairs(sizes.vocabulary, 8, 16);
  for (const double want : golden) EXPECT_NEAR(tuning.Step(left, right), want, 1e-4 * want) << run;
  EXPECT_LT(golden.back(), golden.front());
}

TEST(FineTuning, LosesWhatPyTorchLoses) { ExpectGolden("small", kSmall, kSmallOptions); }

TEST(FineTuning, LosesWhatPyTorchLosesAtFullSize) {
  ExpectGolden("full", {}, {.steps = 4, .warm_up = 1});
}

}  // namespace
}  // namespace transformer
