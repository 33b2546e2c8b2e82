#include "switchyard/collective/scaling/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "switchyard/collective/scaling/cost.h"
#include "switchyard/core/error.h"

namespace sy::collective::scaling {
namespace {

using ::testing::HasSubstr;

TEST(Fit, ReadsRowsAndSaysWhichAreNone) {
  const std::vector<Row> rows = ParseRows("# comment\n\nmpi 2 all_reduce 64 1.5\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].engine, "mpi");
  EXPECT_EQ(rows[0].collective, Collective::kAllReduce);
  EXPECT_DOUBLE_EQ(rows[0].seconds, 1.5e-6);
  for (const char* wrong :
       {"mpi 1 all_reduce 64 1.5", "mpi 2 all_reduce 64", "mpi 2 sum 64 1", "mpi 2 all_reduce 64 0",
        "mpi 2 all_reduce -1 2", "mpi 2 barrier 0 nan", "mpi 2 barrier 0 1 2"})
    EXPECT_THROW(ParseRows(wrong), Error) << wrong;
  EXPECT_THROW(FitTo(rows, "gloo", 2), Error);
}

// Rows that the model itself has made are found again.
TEST(Fit, FindsTheNumbersThatRowsWereMadeOf) {
  Machine m;
  m.cores = 4;
  m.inside = {2e-6, 2e-10, 1e-6};
  m.copy = 2e-10;
  m.reduce = 3e-10;
  std::vector<Row> rows;
  for (const int ranks : {2, 4}) {
    m.ranks_per_node = ranks;
    for (const double bytes : {4., 65536., 524288.}) {
      for (const auto& [c, a] : {std::pair(Collective::kAllReduce, Algorithm::kRing),
                                 {Collective::kBroadcast, Algorithm::kTree},
                                 {Collective::kAllGather, Algorithm::kRing}}) {
        rows.push_back({"mpi", ranks, c, bytes, Seconds(c, a, ranks, bytes, m)});
      }
    }
  }
  const Fit fit = FitTo(rows, "mpi", 4);
  EXPECT_LT(fit.worst, 0.1);
  EXPECT_NEAR(fit.cached.inside.latency, 2e-6, 0.3e-6);
  EXPECT_NEAR(fit.cached.inside.seconds_per_byte, 2e-10, 0.3e-10);
  EXPECT_NEAR(fit.cached.reduce, 3e-10, 0.6e-10);
}

TEST(Fit, TheModelIsWithinThirtyPercentOfWhatWasMeasured) {
  std::ifstream file("collective/scaling/measured.txt");
  std::ostringstream text;
  text << file.rdbuf();
  const std::vector<Row> rows = ParseRows(text.str());
  ASSERT_GE(rows.size(), 40U);
  for (const char* engine : {"mpi", "gloo"}) {
    const Fit fit = FitTo(rows, engine, 2);
    for (const FitRow& r : fit.rows) {
      EXPECT_NEAR(r.predicted, r.seconds, 0.3 * r.seconds)
          << engine << ", " << r.ranks << " ranks, " << Name(r.collective) << ", " << r.bytes;
    }
  }
}

}  // namespace
}  // namespace sy::collective::scaling
