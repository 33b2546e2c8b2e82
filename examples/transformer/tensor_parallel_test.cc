// Fine-tuning with the encoder's weights in parts on 4 ranks: the losses are those of one process,
// which are PyTorch's.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "examples/transformer/fine_tuning.h"
#include "examples/transformer/testing.h"
#include "switchyard/collective/group.h"
#include "switchyard/collective/sharded/sharded.h"

namespace transformer {
namespace {

using sy::Tensor;
using namespace sy::sharded;

// The first of two products by columns, the second by rows; the table by columns.
Placement PlacementOf(const std::string& name) {
  const auto ends = [&](const char* with) { return name.ends_with(with); };
  if (name == "tokens" || ends("qkv.weight") || ends("widen.weight")) return Shard(1);
  if (ends("qkv.bias") || ends("widen.bias") || ends("merge.weight") || ends("narrow.weight"))
    return Shard(0);
  return Replicate();
}

// Weights as `placements` says, examples as `batch`.
template <class F>
void ExpectGolden(const std::vector<std::pair<std::string, int64_t>>& dims, F placements,
                  const Placements& batch) {
  const std::vector<double> golden = ReadGolden("small");
  ASSERT_GE(golden.size(), 3u);
  const Encoder whole(kSmall, /*seed=*/0);
  const auto [left, right] = Pairs(kSmall.vocabulary, 8, 16);
  sy::collective::RunRanks(4, [&, l = left, r = right](int) {
    const MeshRef mesh = MakeMesh("grid", dims);
    Encoder encoder = whole;
    encoder.Replace([&](const std::string& name, const Tensor& t) {
      return Distribute(t, mesh, placements(name));
    });
    FineTuning tuning(encoder, kSmallOptions);
    const Tensor mine_left = Distribute(l, mesh, batch), mine_right = Distribute(r, mesh, batch);
    for (const double want : golden)
      EXPECT_NEAR(tuning.Step(mine_left, mine_right), want, 1e-4 * want);
  });
}

TEST(TensorParallel, LosesWhatOneProcessLoses) {
  ExpectGolden({{"model", 4}},
               [](const std::string& name) { return Placements{PlacementOf(name)}; },
               {Replicate()});
}

TEST(DataParallel, LosesWhatOneProcessLosesToo) {
  ExpectGolden({{"data", 4}}, [](const std::string&) { return Placements{Replicate()}; },
               {Shard(0)});
}

TEST(BothParallel, LoseWhatOneProcessLosesToo) {
  ExpectGolden({{"data", 2}, {"model", 2}},
               [](const std::string& name) {
                 return Placements{Replicate(), PlacementOf(name)};
               },
               {Shard(0), Replicate()});
}

}  // namespace
}  // namespace transformer
