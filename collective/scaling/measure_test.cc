#include "switchyard/collective/scaling/measure.h"

#include <gtest/gtest.h>

#include "switchyard/collective/group.h"

namespace sy::collective::scaling {
namespace {

TEST(Measure, TimesEveryCollectiveThatASizeIsEnoughFor) {
  RunRanks(2, [](int) {
    const std::vector<Row> rows = Measure("world", {4, 4096}, std::chrono::duration<double>(0.001));
    ASSERT_EQ(rows.size(), 7U);  // a barrier, an all_reduce of 4 bytes, five of 4096
    EXPECT_EQ(rows[0].collective, Collective::kBarrier);
    EXPECT_EQ(rows[1].bytes, 4);
    for (const Row& r : rows) {
      EXPECT_EQ(r.engine, "local");
      EXPECT_EQ(r.ranks, 2);
      EXPECT_GT(r.seconds, 0);
      EXPECT_LT(r.seconds, 1);
    }
  });
}

}  // namespace
}  // namespace sy::collective::scaling
