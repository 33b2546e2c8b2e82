#include "switchyard/collective/scaling/step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "switchyard/collective/scaling/chart.h"
#include "switchyard/collective/scaling/cost.h"
#include "switchyard/core/error.h"

namespace sy::collective::scaling {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Model Small() {
  Model m;
  m.parameters = {100, 200, 300};
  m.forward = 1;
  m.backward = 2;
  m.optimizer = 0.5;
  return m;
}

TEST(Step, BucketsAreFilledFromTheLastParameterOn) {
  EXPECT_THAT(BucketsOf(Small(), 500), ElementsAre(500, 100));
  EXPECT_THAT(BucketsOf(Small(), 1), ElementsAre(300, 200, 100));
  EXPECT_THAT(BucketsOf(Small(), 1000), ElementsAre(600));
}

TEST(Step, AveragesHideBehindBackwardButForTheLast) {
  Machine m;
  m.name = "slow";
  m.between = {1e-3, 1e-3};  // a second for 1000 bytes
  m.inside = m.between;
  const auto average = [&](double bytes) {
    return Seconds(Collective::kAllReduce, Best(Collective::kAllReduce, 2, bytes, m), 2, bytes, m);
  };
  // 300 bytes are there after half of backward; their average is over before the rest is there.
  const Step s = StepOf(Small(), 2, m, 300);
  const double first = 1 + 2 * 0.5 + average(300);
  EXPECT_LT(first, 3);
  EXPECT_NEAR(s.seconds, 3 + average(300) + 0.5, 1e-9);
  EXPECT_NEAR(s.collectives, 2 * average(300), 1e-9);
  EXPECT_NEAR(s.exposed(), average(300), 1e-9);
  EXPECT_NEAR(s.alone, 3.5, 1e-12);
}

TEST(Step, AloneItHasNothingToWaitFor) {
  const Step s = StepOf(Small(), 1, MachineOf("ethernet"));
  EXPECT_NEAR(s.seconds, s.alone, 1e-6);
}

TEST(Step, RanksThatShareCoresTakeTurns) {
  Machine m = MachineOf("infiniband");
  m.cores = 2;
  EXPECT_NEAR(StepOf(Small(), 4, m).alone, 2 * StepOf(Small(), 2, m).alone, 1e-9);
}

TEST(Step, KnownModelsAreThoseOfTheExamples) {
  const auto bytes = [](const char* name) {
    const Model m = ModelOf(name);
    return std::accumulate(m.parameters.begin(), m.parameters.end(), int64_t{0});
  };
  EXPECT_EQ(bytes("train"), 4 * (8 * 9 + 8 + 16 * 8 * 9 + 16 + 10 * 256 + 10));
  EXPECT_EQ(bytes("encoder"), 4 * 22'555'392);
  EXPECT_THROW(ModelOf("other"), Error);
}

TEST(Step, EfficiencyFallsWithRanks) {
  double before = 1;
  for (int ranks = 8; ranks <= 4096; ranks *= 2) {
    const double now = StepOf(ModelOf("encoder"), ranks, MachineOf("ethernet")).efficiency();
    EXPECT_GT(now, 0);
    EXPECT_LE(now, before);
    before = now;
  }
}

TEST(Chart, ShowsLinesByName) {
  const std::string svg =
      Chart("a < b & c", "ranks", "seconds",
            {{"ring", {{2, 0.1}, {4096, 10}}, false}, {"seen", {{4, 1}}, true}});
  EXPECT_THAT(svg, AllOf(HasSubstr("<svg"), HasSubstr("a &lt; b &amp; c"), HasSubstr(">ring<"),
                         HasSubstr("<polyline"), HasSubstr("<circle"), HasSubstr("</svg>")));
  EXPECT_THROW(Chart("", "", "", {{"zero", {{1, 0}}, false}}), Error);
  EXPECT_THROW(Chart("", "", "", {}), Error);
}

}  // namespace
}  // namespace sy::collective::scaling
