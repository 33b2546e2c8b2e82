// Closed formulas beside the simulation, which knows of none of them, and beside what must hold.
#include "switchyard/collective/scaling/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "switchyard/collective/scaling/schedule.h"
#include "switchyard/collective/scaling/simulate.h"
#include "switchyard/core/error.h"

namespace sy::collective::scaling {
namespace {

using ::testing::HasSubstr;

template <class F>
void ForEach(F f) {
  for (const Collective c : AllCollectives()) {
    for (const Algorithm a : AllAlgorithms()) {
      if (Exists(c, a)) f(c, a);
    }
  }
}

// Every message that one rank sends is one that another waits for, in the same order, and all parts
// arrive: bytes that leave are bytes that the algorithm is known to move.
TEST(Schedule, WhatIsSentIsWaitedFor) {
  ForEach([](Collective c, Algorithm a) {
    for (const auto& [ranks, per_node] :
         {std::pair(1, 1), {2, 1}, {3, 3}, {7, 1}, {8, 4}, {12, 4}}) {
      std::vector<std::vector<int>> sent(static_cast<size_t>(ranks * ranks));
      for (int r = 0; r < ranks; ++r) {
        for (const Round& round : RoundsOf(c, a, r, ranks, 1000, per_node)) {
          if (round.to >= 0) sent[static_cast<size_t>(r * ranks + round.to)].push_back(1);
          if (round.from >= 0) sent[static_cast<size_t>(round.from * ranks + r)].push_back(-1);
          EXPECT_NE(round.to, r);
          EXPECT_NE(round.from, r);
        }
      }
      for (const auto& between : sent) {
        int sum = 0;
        for (const int s : between) sum += s;
        EXPECT_EQ(sum, 0) << Name(c) << ", " << Name(a) << ", " << ranks << " ranks";
      }
    }
  });
}

TEST(Schedule, EveryRankAddsWhatItHasTo) {
  for (const Algorithm a : AllAlgorithms()) {
    double reduced = 0;
    for (int r = 0; r < 8; ++r) {
      for (const Round& round : RoundsOf(Collective::kReduceScatter, a, r, 8, 800, 4))
        reduced += round.reduced;
    }
    // 7 of 8 contributions to each element are added somewhere, once.
    if (a != Algorithm::kHierarchical) {
      EXPECT_EQ(reduced, 7 * 800) << Name(a);
    }
  }
  EXPECT_THROW(RoundsOf(Collective::kAllToAll, Algorithm::kTree, 0, 8, 1, 1), Error);
  EXPECT_THROW(RoundsOf(Collective::kAllReduce, Algorithm::kRing, 0, 6, 1, 4), Error);
}

TEST(Cost, OnOneLevelTheFormulasAreTheSimulation) {
  const Machine m = MachineOf("ethernet");
  ForEach([&](Collective c, Algorithm a) {
    for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 16, 24, 64, 128}) {
      for (const double bytes : {0., 1e3, 1e6, 1e8}) {
        const double formula = Seconds(c, a, ranks, bytes, m);
        const double simulated = Simulate(c, a, ranks, bytes, m).seconds;
        // Trees that are not full have paths of different lengths.
        const bool exact = (ranks & (ranks - 1)) == 0 || a == Algorithm::kRing;
        EXPECT_NEAR(formula, simulated, (exact ? 1e-9 : 0.1) * simulated)
            << Name(c) << ", " << Name(a) << ", " << ranks << " ranks, " << bytes << " bytes";
      }
    }
  });
}

TEST(Cost, OnTwoLevelsTheyAreWithinAThird) {
  for (const Machine& m : KnownMachines()) {
    ForEach([&](Collective c, Algorithm a) {
      for (const int ranks : {8, 16, 24, 64, 128}) {
        for (const double bytes : {0., 1e3, 1e6, 1e8}) {
          const double simulated = Simulate(c, a, ranks, bytes, m).seconds;
          EXPECT_NEAR(Seconds(c, a, ranks, bytes, m), simulated, 0.35 * simulated)
              << m.name << ", " << Name(c) << ", " << Name(a) << ", " << ranks << " ranks, "
              << bytes;
        }
      }
    });
  }
}

TEST(Cost, IsThatOfTheBooks) {
  Machine m;
  m.inside = {1e-6, 1e-9};
  m.ranks_per_node = 8;
  m.reduce = 0.5e-9;
  const double n = 8e6;
  EXPECT_NEAR(Seconds(Collective::kAllReduce, Algorithm::kRing, 8, n, m),
              14 * (1e-6 + 1e6 * 1e-9) + 7 * 1e6 * 0.5e-9, 1e-9);
  EXPECT_NEAR(Seconds(Collective::kAllReduce, Algorithm::kButterfly, 8, n, m),
              3 * (1e-6 + n * 1.5e-9), 1e-9);
  EXPECT_NEAR(Seconds(Collective::kBroadcast, Algorithm::kTree, 8, n, m), 3 * (1e-6 + n * 1e-9),
              1e-9);
  EXPECT_NEAR(Seconds(Collective::kBarrier, Algorithm::kButterfly, 8, 0, m), 3e-6, 1e-12);
  EXPECT_EQ(Seconds(Collective::kBarrier, Algorithm::kTree, 1, 0, m), 0);
}

TEST(Cost, MoreRanksOrBytesCostMore) {
  ForEach([](Collective c, Algorithm a) {
    for (const Machine& m : KnownMachines()) {
      double before = 0;
      for (int ranks = 8; ranks <= 4096; ranks *= 2) {
        const double s = Seconds(c, a, ranks, 1e3, m);
        EXPECT_TRUE(std::isfinite(s));
        EXPECT_GE(s, before * 0.999)
            << m.name << ", " << Name(c) << ", " << Name(a) << ", " << ranks;
        EXPECT_GE(Seconds(c, a, ranks, 1e7, m), s);
        before = s;
      }
    }
  });
}

TEST(Cost, TheBestOfThemDependsOnTheSize) {
  const Machine m = MachineOf("ethernet");
  EXPECT_EQ(Best(Collective::kAllReduce, 64, 4, m), Algorithm::kButterfly);
  EXPECT_EQ(Best(Collective::kAllReduce, 64, 1e8, m), Algorithm::kRing);
  EXPECT_EQ(Best(Collective::kAllReduce, 4096, 1e8, MachineOf("infiniband")),
            Algorithm::kHierarchical);
}

TEST(Machine, NamesAreFoundOrToldOf) {
  for (const Collective c : AllCollectives()) EXPECT_EQ(CollectiveOf(Name(c)), c);
  for (const Algorithm a : AllAlgorithms()) EXPECT_EQ(AlgorithmOf(Name(a)), a);
  try {
    MachineOf("abacus");
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("ethernet, infiniband, nvlink"));
  }
}

}  // namespace
}  // namespace sy::collective::scaling
