// Threads that load and unload plugins, list them, and call what they have, all at once.
//
// SWITCHYARD_LONG=1: a hundred times as many rounds.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"
#include "tests/faults/long.h"

namespace sy {
namespace {

using testing::PluginPath;
using testing::Snapshot;

constexpr const char* kPlugins[] = {"opaque", "fault", "asks", "nth"};

class Crowd {
 public:
  // Errors that say that a plugin is not there, or that it is there already, are as they should be.
  template <class F>
  void Try(F f) {
    try {
      f();
      worked_.fetch_add(1);
    } catch (const Error& e) {
      const bool gone = e.code() == ErrorCode::kUnavailable || e.code() == ErrorCode::kNotFound ||
                        e.code() == ErrorCode::kNotImplemented;
      const bool there = e.message().find("is loaded already") != std::string::npos;
      if (!gone && !there) Report(e.message());
    }
  }
  void Report(const std::string& what) {
    std::lock_guard lock(mutex_);
    wrong_.insert(what);
  }
  const std::set<std::string>& wrong() const { return wrong_; }
  int64_t worked() const { return worked_; }

 private:
  std::mutex mutex_;
  std::set<std::string> wrong_;
  std::atomic<int64_t> worked_{0};
};

void LoadOrUnload(Crowd& crowd, std::mt19937& random) {
  const char* name = kPlugins[random() % std::size(kPlugins)];
  switch (random() % 5) {
    case 0:
    case 1:
      crowd.Try([&] { load_plugin(PluginPath(name)); });
      break;
    case 2:
    case 3:
      crowd.Try([&] { unload_plugin(name); });
      break;
    default:
      crowd.Try([] { loaded_plugins(); });
  }
}

void Use(Crowd& crowd, std::mt19937& random) {
  const Tensor x = tensor({1., 2.});
  switch (random() % 4) {
    case 0:
      crowd.Try([&] {
        const std::string y = ToString(call("fault::twice", x).tensor());
        if (y != "tensor([2., 4.])") crowd.Report(y);
      });
      break;
    case 1:
      crowd.Try([&] {
        const Tensor there = FromHost(x, ParseDevice("opaque"));
        const std::string y = ToString(ToHost(call("add", there, there).tensor()));
        if (y != "tensor([2., 4.])") crowd.Report(y);
      });
      break;
    case 2:
      crowd.Try([&] { call("asks::workspace", x, 100, 64); });
      break;
    default:
      crowd.Try([&] {
        const Tensor there = Tensor::Empty({3}, DType::kFloat32, ParseDevice("nth"));
        call("fill_", there, 5.);
        const std::string y = ToString(ToHost(there));
        if (y != "tensor([5., 5., 5.])") crowd.Report(y);
      });
  }
}

TEST(ThreadsTest, EightLoadAndUnloadWhileFourCall) {
  const std::string before = Snapshot();
  const int rounds = (SY_SANITIZED ? 100 : 300) * (testing::IsLong() ? 100 : 1);
  Crowd crowd;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 12; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < rounds; ++i) (t < 8 ? LoadOrUnload : Use)(crowd, random);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_THAT(crowd.wrong(), ::testing::IsEmpty());
  EXPECT_GT(crowd.worked(), 12 * rounds / 10);
  for (const PluginInfo& p : loaded_plugins()) EXPECT_TRUE(unload_plugin(p.name).unloaded);
  EXPECT_EQ(Snapshot(), before);
}

}  // namespace
}  // namespace sy
