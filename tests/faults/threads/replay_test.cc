// The recorded calls, made by four threads at once: each makes every fourth of them. Meant for the
// thread sanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "switchyard/core/parallel.h"
#include "switchyard/registry/registry.h"
#include "testing/replay/call.h"
#include "testing/replay/special.h"
#include "tests/faults/long.h"
#include "tests/faults/recorded/recorded.h"

namespace sy {
namespace {

constexpr int kThreads = 4;

// Numbers drawn at random are others where four threads share the default generator.
bool Draws(const replay::Json& call) {
  const OperatorEntry* op = Registry::Global().Find(replay::OpOf(call));
  return op == nullptr || replay::ComparisonOf(*op) == replay::Comparison::kRandom;
}

TEST(ThreadedReplayTest, FourThreadsGetTheResultsOfOne) {
  const size_t step = testing::IsLong() ? 1 : 29;
  std::vector<testing::RecordedLine> calls;
  size_t n = 0;
  testing::ForEachLine({"opinfo", "edge"}, [&](testing::RecordedLine& line) {
    if (n++ % step == 0) calls.push_back(std::move(line));
  });
  std::atomic<int64_t> passed{0};
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = static_cast<size_t>(t); i < calls.size(); i += kThreads) {
        const testing::RecordedLine& r = calls[i];
        const replay::Outcome o = replay::ReplayCall(r.call, *r.bytes, Device{kHost}, std::nullopt);
        if (o.verdict == replay::Verdict::kFailed && !Draws(r.call))
          ADD_FAILURE() << r.place << ", " << replay::DescribeCall(r.call, *r.bytes) << ": "
                        << o.why;
        if (o.verdict == replay::Verdict::kPassed) passed.fetch_add(1);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_GT(passed.load(), static_cast<int64_t>(calls.size() * 9 / 10));
  RecordProperty("passed", static_cast<int>(passed.load()));
}

}  // namespace
}  // namespace sy
