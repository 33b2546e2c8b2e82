// The training against PyTorch's losses (record.py), interrupted, and to its end.
#include "examples/train/training.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "examples/train/curve.h"
#include "switchyard/core/error.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace train {
namespace {

std::vector<double> ReadGolden() {
  std::ifstream file("examples/train/golden.txt");
  std::vector<double> losses;
  for (double v; file >> v;) losses.push_back(v);
  return losses;
}

// A network as small is not faster with several threads, and much slower where others want them.
struct OneThread : testing::Environment {
  void SetUp() override { sy::SetNumThreads(1); }
};
const auto* const one_thread = testing::AddGlobalTestEnvironment(new OneThread);

TEST(Training, LosesWhatPyTorchLosesAndRecognisesDigits) {
  const std::vector<double> golden = ReadGolden();
  Training training({});
  ASSERT_EQ(static_cast<int64_t>(golden.size()), training.all_steps());
  for (const double want : golden) {
    const double got = training.Step();
    // Each step starts from the roundings of all before it, which are other ones on each kind of
    // processor: after 64 steps 5e-3 with AVX-512, 1.5e-2 with AVX2.
    EXPECT_NEAR(got, want, training.steps() <= 64 ? 1e-5 * want : 3e-2) << training.steps();
  }
  EXPECT_TRUE(training.done());
  EXPECT_GE(training.Accuracy(), 0.95);
}

TEST(Training, GoesOnFromItsFilesAsIfUninterrupted) {
  const Plan plan = {.epochs = 2, .digits = 128, .batch = 16};
  Training straight(plan);
  while (!straight.done()) straight.Step();
  const std::string folder = testing::TempDir() + "/training";
  {
    Training first(plan);
    for (int i = 0; i < 11; ++i) first.Step();
    first.Save(folder);
  }
  Training second(plan);
  second.Load(folder);
  EXPECT_EQ(second.steps(), 11);
  while (!second.done()) second.Step();
  EXPECT_EQ(second.losses(), straight.losses());
}

TEST(Digits, AreTheSameForASeed) {
  const Digits a = DrawDigits(5, 3), b = DrawDigits(5, 3), c = DrawDigits(5, 4);
  EXPECT_TRUE(sy::equal(a.images, b.images) && sy::equal(a.labels, b.labels));
  EXPECT_FALSE(sy::equal(a.images, c.images));
}

TEST(Curve, HasAPointForEachLoss) {
  const std::string path = testing::TempDir() + "/loss.svg";
  WriteCurve(path, {2, 1, 0.5, 0.25}, 2);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str().find("points=\"40.0,40.0 226.7,160.0 413.3,220.0 600.0,250.0 \""),
            std::string::npos);
  EXPECT_NE(text.str().find("points=\"40.0,40.0 226.7,100.0 "), std::string::npos);
  EXPECT_THROW(WriteCurve("/nonexistent/loss.svg", {1}), sy::Error);
}

}  // namespace
}  // namespace train
