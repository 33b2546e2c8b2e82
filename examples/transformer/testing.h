// Fine-tuning as PyTorch was asked for it (record_fine_tuning.py), and the losses that it gave.
#ifndef EXAMPLES_TRANSFORMER_TESTING_H_
#define EXAMPLES_TRANSFORMER_TESTING_H_

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "examples/transformer/fine_tuning.h"
#include "switchyard/core/generator.h"
#include "switchyard/ops.h"

namespace transformer {

// The run "small".
inline constexpr Sizes kSmall = {
    .layers = 2, .width = 96, .heads = 4, .mlp = 192, .vocabulary = 500, .positions = 64};
inline constexpr FineTuningOptions kSmallOptions = {.steps = 12, .warm_up = 3, .lr = 1e-3};

// Losses by the name of a run.
inline std::vector<double> ReadGolden(const std::string& run) {
  std::ifstream file("examples/transformer/fine_tuning_golden.txt");
  std::vector<double> losses;
  std::string name;
  for (double loss; file >> name >> loss;) {
    if (name == run) losses.push_back(loss);
  }
  return losses;
}

// Sentences, and the same with few tokens of it.
inline std::pair<sy::Tensor, sy::Tensor> Pairs(int64_t vocabulary, int64_t b, int64_t l) {
  sy::manual_seed(1);
  const sy::Tensor left = sy::randint(vocabulary, {b, l}), other = sy::randint(vocabulary, {b, l});
  return {left, sy::where(sy::lt(sy::rand({b, l}), 0.85), other, left)};
}

}  // namespace transformer

#endif  // EXAMPLES_TRANSFORMER_TESTING_H_
