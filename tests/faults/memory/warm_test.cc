// Calls that were made before find no memory at one of their allocations: they say so, leave their
// arguments as they were, leak nothing, and give what they gave when it is back.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "switchyard/core/error.h"
#include "tests/faults/long.h"
#include "tests/faults/memory/attempt.h"

namespace sy {
namespace {

using testing::Attempt;
using testing::Case;
using testing::Cases;
using testing::MemoryShort;

// How many calls failed.
int Attack(Cases cases) {
  int errors = 0;
  for (const Case& c : cases.all()) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(testing::CallWithMemory(c), "") << c.op;
      CallWithoutMemory(cases, c, MemoryShort::kNever, MemoryShort::kOnce);
    }
    for (const auto how : {MemoryShort::kOnce, MemoryShort::kFromThenOn}) {
      for (int64_t n = 1;; ++n) {
        const int64_t alive = testing::BlocksInUse();
        const Attempt a = CallWithoutMemory(cases, c, n, how);
        EXPECT_EQ(a.why, "") << c.op << ", allocation " << n;
        if (a.failed == 0) break;
        CallWithoutMemory(cases, c, MemoryShort::kNever, how);  // caches have again what they kept
        // But for one that keeps as much as fits: plans of transforms.
        EXPECT_LE(testing::BlocksInUse(), alive) << c.op << ", allocation " << n;
        ++errors;
      }
    }
    EXPECT_EQ(testing::CallWithMemory(c), "") << c.op << ", afterwards";
  }
  return errors;
}

TEST(WarmTest, CallsThatFindNoMemoryLeaveNothingBehind) {
  const int errors = Attack(Cases(testing::IsLong() ? 2000 : 150));
  RecordProperty("calls", errors);
  EXPECT_GT(errors, 100);
}

// Kernels that write to an argument in several steps.
TEST(WarmTest, WhatNeedsMemoryComesBeforeTheFirstThingWritten) {
  EXPECT_GT(
      Attack(Cases(std::vector<std::string>{"index_reduce_", "linalg_householder_product.out",
                                            "linalg_solve_triangular.out", "native_batch_norm"})),
      15);
}

}  // namespace
}  // namespace sy
