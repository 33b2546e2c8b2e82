#include "switchyard/collective/scaling/step.h"

#include <algorithm>
#include <numeric>

#include "switchyard/collective/scaling/cost.h"
#include "switchyard/core/error.h"

namespace sy::collective::scaling {
namespace {

constexpr int64_t kFloat = 4;

// examples/train's network: 3 × 3 of 1 → 8 and of 8 → 16 channels, 256 → 10.
Model Train() {
  Model m;
  m.name = "train";
  for (const int64_t numel : {8 * 9, 8, 16 * 8 * 9, 16, 10 * 256, 10})
    m.parameters.push_back(kFloat * numel);
  m.forward = 0.31e-3;
  m.backward = 0.62e-3;
  m.optimizer = 0.07e-3;
  m.origin =
      "1 ms a step of 32 digits, taken as a sixth of convolution_step (docs/performance.md); "
      "forward and backward as their products, 1 to 2";
  return m;
}

// examples/transformer's encoder: six layers of 384 with 1536 in between, 30522 words.
Model Encoder() {
  constexpr int64_t kWords = 30522, kPositions = 512, kWidth = 384, kInner = 1536;
  constexpr int kLayers = 6;
  Model m;
  m.name = "encoder";
  const auto add = [&](int64_t numel) { m.parameters.push_back(kFloat * numel); };
  const auto linear = [&](int64_t in, int64_t out) {
    add(in * out);
    add(out);
  };
  for (const int64_t rows : {kWords, kPositions, int64_t{1}, int64_t{1}}) add(rows * kWidth);
  for (int i = 0; i < kLayers; ++i) {
    linear(kWidth, 3 * kWidth);
    linear(kWidth, kWidth);
    linear(kWidth, kInner);
    linear(kInner, kWidth);
  }
  m.forward = 0.24;
  m.backward = 0.48;
  m.optimizer = 0.056;
  m.origin =
      "776 ms a step of eight sentences in one process of a core (docs/performance.md); forward "
      "and backward as their products, 1 to 2, the optimiser as the bytes it moves";
  return m;
}

}  // namespace

Model ModelOf(std::string_view name) {
  if (name == "train") return Train();
  if (name == "encoder") return Encoder();
  Fail(ErrorCode::kInvalidArgument, {"no model is called '", name, "'; there are train, encoder"});
}

std::vector<int64_t> BucketsOf(const Model& m, int64_t bucket_bytes) {
  std::vector<int64_t> buckets;
  for (auto it = m.parameters.rbegin(); it != m.parameters.rend(); ++it) {
    const bool fits = !buckets.empty() && buckets.back() + *it <= bucket_bytes;
    if (fits) {
      buckets.back() += *it;
    } else {
      buckets.push_back(*it);
    }
  }
  return buckets;
}

Step StepOf(const Model& model, int ranks, const Machine& machine, int64_t bucket_bytes) {
  Step s;
  // Ranks of a node that has too few cores take turns in everything.
  const double turns = Turns(machine, std::min(ranks, machine.ranks_per_node));
  s.alone = turns * (model.forward + model.backward + model.optimizer);
  const auto all = static_cast<double>(
      std::accumulate(model.parameters.begin(), model.parameters.end(), int64_t{0}));
  const double begun = turns * model.forward, backward = turns * model.backward;
  double reached = 0, free = 0;
  for (const int64_t bytes : BucketsOf(model, bucket_bytes)) {
    reached += static_cast<double>(bytes);
    const auto n = static_cast<double>(bytes);
    const double average = Seconds(
        Collective::kAllReduce, Best(Collective::kAllReduce, ranks, n, machine), ranks, n, machine);
    // Backward's time goes by as its bytes do: layers cost about what their weights are.
    free = std::max(free, begun + backward * reached / all) + average;
    s.collectives += average;
  }
  s.seconds = std::max(free, begun + backward) + turns * model.optimizer;
  return s;
}

}  // namespace sy::collective::scaling
