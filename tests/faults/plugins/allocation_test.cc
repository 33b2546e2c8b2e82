// Memory runs out at every allocation of loading, listing, unloading and calling plugins: once, and
// for good. An error each time, and everything is as it was before; the same works when memory is
// back; nothing is lost.
//
// SWITCHYARD_LONG=1: every allocation; otherwise a part of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"
#include "tests/faults/long.h"
#include "tests/faults/memory/memory_short.h"

namespace sy {
namespace {

using testing::IsLong;
using testing::MemoryShort;
using testing::PluginPath;
using testing::Snapshot;

// What a failure may change besides its own answer.
std::string State() {
  std::string s = Snapshot();
  for (const PluginInfo& p : loaded_plugins()) s += p.name + " " + std::to_string(p.kernels) + "\n";
  return s;
}

struct Scenario {
  std::string name;
  std::function<void()> before;
  std::function<void()> run;    // the part during which memory runs out
  std::function<void()> after;  // takes back what `run` has done
};

// Whether `run` has failed at its n-th allocation; then everything is as it was.
bool FailsAt(const Scenario& s, int64_t n, MemoryShort::How how) {
  const std::string state = State();
  std::string error;
  try {
    const MemoryShort memory(n, how);
    s.run();
    return false;
  } catch (const std::exception& e) {
    error = e.what();
  }
  EXPECT_EQ(State(), state) << s.name << ", allocation " << n << ": " << error;
  return true;
}

void Cycle(const Scenario& s, int64_t n, MemoryShort::How how) {
  s.before();
  if (FailsAt(s, n, how)) {
    EXPECT_NO_THROW(s.run()) << s.name << ", allocation " << n;
  }
  s.after();
}

int64_t CountAllocations(const Scenario& s) {
  s.before();
  int64_t count = 0;
  {
    const MemoryShort memory(MemoryShort::kNever);
    s.run();
    count = memory.count();
  }
  s.after();
  return count;
}

void EveryAllocation(const Scenario& s) {
  for (int i = 0; i < 3; ++i) CountAllocations(s);  // what is made once has been made
  const int64_t count = CountAllocations(s);
  const int64_t step = IsLong() ? 1 : std::max<int64_t>(1, count / 25);
  size_t failures = 0;
  for (const auto how : {MemoryShort::kOnce, MemoryShort::kFromThenOn}) {
    for (int64_t n = 1; n <= count; n += step, ++failures) {
      Cycle(s, n, how);
      const int64_t before = testing::BlocksInUse();
      Cycle(s, n, how);
      EXPECT_LE(testing::BlocksInUse(), before) << s.name << ", allocation " << n << ": a leak";
      if (::testing::Test::HasFailure()) FAIL() << s.name << ": the first failures will do";
    }
  }
  std::printf("%s: %zu failures at %ld allocations\n", s.name.c_str(), failures,
              static_cast<long>(count));
}

void Unload(const char* name) { ASSERT_EQ(unload_plugin(name).text, "unloaded"); }
void Nothing() {}

class AllocationTest : public ::testing::Test {
 protected:
  void SetUp() override {
#if SY_SANITIZED
    GTEST_SKIP() << "the sanitizer has an allocator of its own";
#endif
    State();
  }
};

TEST_F(AllocationTest, LoadingFailsAsAWhole) {
  for (const char* name : {"opaque", "fault", "nth", "asks", "queued"}) {
    EveryAllocation({std::string("load ") + name, Nothing, [=] { load_plugin(PluginPath(name)); },
                     [=] { Unload(name); }});
  }
}

TEST_F(AllocationTest, LoadingByNameFailsAsAWhole) {
  std::string folder = (std::filesystem::path(::testing::TempDir()) / "named.XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::filesystem::copy_file(std::filesystem::canonical(PluginPath("opaque")),
                             folder + "/libopaque.so");
  std::ofstream(folder + "/opaque.json")
      << R"({"name": "opaque", "version": "1", "library": "libopaque.so", "abi": {"major": 1}})";
  const PluginSearch search{.directories = {folder}, .environment = false};
  EveryAllocation(
      {"load by name", Nothing, [&] { load_plugin("opaque", search); }, [] { Unload("opaque"); }});
  EveryAllocation({"list", Nothing,
                   [&] {
                     const auto all = list_plugins(search);
                     // Never fewer than there are, and none with a problem that it does not have.
                     ASSERT_EQ(all.size(), 1u);
                     ASSERT_EQ(all[0].problem, "");
                   },
                   Nothing});
  std::filesystem::remove_all(folder);
}

TEST_F(AllocationTest, UnloadingFailsAsAWhole) {
  for (const char* name : {"opaque", "fault", "nth", "asks"}) {
    const auto load = [=] {
      load_plugin(PluginPath(name));
      Tensor::Empty({2}, DType::kFloat32, ParseDevice(name));  // opened
    };
    EveryAllocation({std::string("unload ") + name, load, [=] { Unload(name); }, Nothing});
  }
}

TEST_F(AllocationTest, UnloadingWhatIsBusyFailsAsAWhole) {
  Tensor alive;
  EveryAllocation({"unload busy",
                   [&] {
                     load_plugin(PluginPath("opaque"));
                     alive = Tensor::Empty({2}, DType::kFloat32, ParseDevice("opaque"));
                   },
                   [] { ASSERT_EQ(unload_plugin("opaque").text, "busy: 1 tensor (8 bytes)"); },
                   [&] {
                     alive = Tensor();
                     Unload("opaque");
                   }});
}

// Something of everything that a program does with a device that queues its work.
void UseOpaque() {
  const Device there = ParseDevice("opaque");
  const Tensor host = tensor({1., 2.}), a = FromHost(host, there);
  const Tensor b = call("add", a, a).take();
  call("opaque::twice", b);
  call("fill_", b, 3.);
  call("copy_", a, PinnedCopy(host, there), true);
  const Stream one = Stream::New(there), two = Stream::New(there);
  {
    const StreamGuard guard(one);
    call("add_", a, b);
  }
  RecordStream(a, two);
  const Event event = one.RecordEvent();
  two.WaitEvent(event);
  event.Synchronize();
  Synchronize(there);
  GetMemoryStats(there);
  ASSERT_EQ(ToString(ToHost(b)), "tensor([3., 3.])");
}

TEST_F(AllocationTest, CallsOfADeviceLoseNothing) {
  EveryAllocation({"use opaque",
                   [] {
                     load_plugin(PluginPath("opaque"));
                     UseOpaque();
                   },
                   UseOpaque, [] { Unload("opaque"); }});
}

TEST_F(AllocationTest, TheFirstUseOfADeviceLosesNothing) {
  EveryAllocation({"first use of opaque", [] { load_plugin(PluginPath("opaque")); }, UseOpaque,
                   [] { Unload("opaque"); }});
}

TEST_F(AllocationTest, CallsThatAskTheHostLoseNothing) {
  const Tensor x = tensor({1., 2.});
  const std::vector<Tensor> xs = {x, x, x};
  const std::vector<Scalar> numbers = {1, 2};
  const auto use = [&] {
    call("asks::workspace", x, 1000, 64);
    call("asks::workspace", Tensor::Empty({1}, DType::kUInt8, ParseDevice("asks")), 100, 64);
    call("asks::parallel", x, 10);
    call("asks::philox", Tensor::Empty({1}, DType::kUInt8, ParseDevice("asks")), 10);
    ASSERT_EQ(ToString(call("asks::lists", x, xs, numbers).tensor()), "tensor([ 3,  3, 14])");
  };
  EveryAllocation({"use asks",
                   [&] {
                     load_plugin(PluginPath("asks"));
                     use();
                   },
                   use, [] { Unload("asks"); }});
}

TEST_F(AllocationTest, CallsThatCallOperatorsLoseNothing) {
  const Tensor x = tensor({1., -2., 3.});
  const auto use = [&] {
    ASSERT_EQ(ToString(call("fault::twice", x).tensor()), "tensor([ 2., -4.,  6.])");
    ASSERT_EQ(ToString(call("fault::positive", x).tensor()), "tensor([1., 3.])");
  };
  EveryAllocation(
      {"use fault", [] { load_plugin(PluginPath("fault")); }, use, [] { Unload("fault"); }});
}

}  // namespace
}  // namespace sy
