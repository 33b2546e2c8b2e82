// The encoder against the numbers that PyTorch gave (record.py).
#include "examples/transformer/encoder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace transformer {
namespace {

struct Recorded {
  int64_t row, column;
  double value;
};
std::vector<Recorded> ReadGolden() {
  std::ifstream file("examples/transformer/golden.txt");
  std::vector<Recorded> all;
  for (Recorded r; file >> r.row >> r.column >> r.value;) all.push_back(r);
  return all;
}

TEST(Encoder, GivesWhatPyTorchGivesForTheSameSeed) {
  const std::vector<Recorded> golden = ReadGolden();
  ASSERT_GE(golden.size(), 32u);
  const Encoder encoder({}, /*seed=*/0);
  const sy::Tensor sentences = encoder(sy::randint(30522, {4, 32}));
  for (const Recorded& r : golden) {
    const float got = sentences.data<float>()[r.row * 384 + r.column];
    EXPECT_NEAR(got, r.value, 2e-6) << r.row << ", " << r.column;
  }
}

TEST(Encoder, ASentenceDoesNotDependOnItsBatch) {
  const Encoder encoder({.layers = 2, .vocabulary = 100}, /*seed=*/1);
  const sy::Tensor ids = sy::randint(100, {3, 7});
  const sy::Tensor together = encoder(ids), alone = encoder(sy::narrow(ids, 0, 2, 1));
  EXPECT_TRUE(sy::allclose(sy::narrow(together, 0, 2, 1), alone, 1e-4, 1e-6));
}

}  // namespace
}  // namespace transformer
