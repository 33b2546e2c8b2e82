// Calls that were made before find no memory at one of their allocations: they say so, leave their
// arguments as they were, leak nothing, and give what they gave when it is back.

#include <gtest/gtest.h>

#include "switchyard/core/error.h"
#include "tests/faults/long.h"
#include "tests/faults/memory/attempt.h"

namespace sy {
namespace {

using testing::Attempt;
using testing::Case;
using testing::Cases;
using testing::MemoryShort;

TEST(WarmTest, CallsThatFindNoMemoryLeaveNothingBehind) {
  Cases cases(testing::IsLong() ? 2000 : 150);
  int64_t failures = 0, errors = 0;
  for (const Case& c : cases.all()) {
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(testing::CallWithMemory(c), "") << c.op;
      CallWithoutMemory(cases, c, MemoryShort::kNever, MemoryShort::kOnce);
    }
    for (const auto how : {MemoryShort::kOnce, MemoryShort::kFromThenOn}) {
      for (int64_t n = 1;; ++n) {
        const int64_t alive = testing::BlocksInUse();
        const Attempt a = CallWithoutMemory(cases, c, n, how);
        EXPECT_EQ(a.why, "") << c.op << ", allocation " << n;
        if (a.failed == 0) break;
        EXPECT_EQ(testing::BlocksInUse(), alive) << c.op << ", allocation " << n;
        failures += a.failed;
        ++errors;
      }
    }
    ASSERT_EQ(testing::CallWithMemory(c), "") << c.op << ", afterwards";
  }
  RecordProperty("calls", static_cast<int>(errors));
  RecordProperty("failures", static_cast<int>(failures));
  EXPECT_GT(errors, 100);
}

}  // namespace
}  // namespace sy
