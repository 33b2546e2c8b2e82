// The recorded calls, made by four threads at once: each makes every fourth of them. Meant for the
// thread sanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/registry/registry.h"
#include "tools/replay/call.h"
#include "tools/replay/gzip.h"
#include "tools/replay/special.h"

namespace sy {
namespace {

constexpr int kThreads = 4;

struct Recorded {
  replay::Json call;
  replay::Blob blob;
};

// Numbers drawn at random are others where four threads share the default generator.
bool Draws(const replay::Json& call) {
  const OperatorEntry* op = Registry::Global().Find(replay::OpOf(call));
  return op == nullptr || replay::ComparisonOf(*op) == replay::Comparison::kRandom;
}

TEST(ThreadedReplayTest, FourThreadsGetTheResultsOfOne) {
  const size_t step = std::getenv("SWITCHYARD_LONG") != nullptr ? 1 : 29;
  std::deque<std::vector<char>> blobs;
  std::vector<Recorded> calls;
  for (const char* folder : {"opinfo", "edge"}) {
    for (const char* number : {"0", "1"}) {
      const std::string data = std::string("tests/conformance/data/") + folder + "/";
      if (std::string_view(folder) == "edge" && *number == '1') continue;
      blobs.push_back(replay::ReadGzip(data + "blob-" + number + ".bin.gz"));
      replay::GzipLines lines(data + "cases-" + number + ".jsonl.gz");
      size_t n = 0;
      for (std::string_view line; lines.Next(&line);) {
        if (!line.empty() && n++ % step == 0)
          calls.push_back({replay::Json::parse(line), blobs.back()});
      }
    }
  }
  std::atomic<int64_t> passed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = static_cast<size_t>(t); i < calls.size(); i += kThreads) {
        const Recorded& r = calls[i];
        const replay::Outcome o = replay::ReplayCall(r.call, r.blob, Device{kHost}, std::nullopt);
        if (o.verdict == replay::Verdict::kFailed && !Draws(r.call))
          ADD_FAILURE() << replay::DescribeCall(r.call, r.blob) << ": " << o.why;
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
