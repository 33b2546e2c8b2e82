// Fine-tuning against the losses that PyTorch gave (record_fine_tuning.py).
#include "examples/transformer/fine_tuning.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "switchyard/core/generator.h"
#include "switchyard/ops.h"

namespace transformer {
namespace {

// Losses by the name of a run.
std::vector<double> ReadGolden(const std::string& run) {
  std::ifstream file("examples/transformer/fine_tuning_golden.txt");
  std::vector<double> losses;
  std::string name;
  for (double loss; file >> name >> loss;) {
    if (name == run) losses.push_back(loss);
  }
  return losses;
}

// Sentences, and the same with few tokens of it.
std::pair<sy::Tensor, sy::Tensor> Pairs(int64_t vocabulary, int64_t b, int64_t l) {
  sy::manual_seed(1);
  const sy::Tensor left = sy::randint(vocabulary, {b, l}), other = sy::randint(vocabulary, {b, l});
  return {left, sy::where(sy::lt(sy::rand({b, l}), 0.85), other, left)};
}

void ExpectGolden(const std::string& run, const Sizes& sizes, const FineTuningOptions& options) {
  const std::vector<double> golden = ReadGolden(run);
  ASSERT_GE(golden.size(), 3u);
  const Encoder encoder(sizes, /*seed=*/0);
  FineTuning tuning(encoder, options);
  const auto [left, right] = Pairs(sizes.vocabulary, 8, 16);
  for (const double want : golden) EXPECT_NEAR(tuning.Step(left, right), want, 1e-4 * want) << run;
  EXPECT_LT(golden.back(), golden.front());
}

TEST(FineTuning, LosesWhatPyTorchLoses) {
  ExpectGolden(
      "small",
      {.layers = 2, .width = 96, .heads = 4, .mlp = 192, .vocabulary = 500, .positions = 64},
      {.steps = 12, .warm_up = 3, .lr = 1e-3});
}

TEST(FineTuning, LosesWhatPyTorchLosesAtFullSize) {
  ExpectGolden("full", {}, {.steps = 4, .warm_up = 1});
}

}  // namespace
}  // namespace transformer
