#include "tools/command/progress.h"

#include <gtest/gtest.h>

namespace sy::command {
namespace {

TEST(Progress, ALineSaysHowMuchIsDoneAndLeft) {
  EXPECT_EQ(ProgressBar::Line("writing x", 1'500'000'000, 3'000'000'000, 7),
            "writing x  [############            ]  50 %  1.5 GB of 3.0 GB  0:07 left");
  EXPECT_EQ(ProgressBar::Line("x", 0, 10, 1),
            "x  [                        ]   0 %  0 bytes of 10 bytes");
  EXPECT_EQ(ProgressBar::Line("x", 0, 0, 1),
            "x  [########################] 100 %  0 bytes of 0 bytes  0:00 left");
}

TEST(Progress, BytesAreInPowersOf1000) {
  EXPECT_EQ(BytesText(999), "999 bytes");
  EXPECT_EQ(BytesText(1000), "1.0 kB");
  EXPECT_EQ(BytesText(999'960), "1.0 MB");
  EXPECT_EQ(BytesText(UINT64_MAX), "18.4 EB");
}

}  // namespace
}  // namespace sy::command
