// Loading, using and unloading: two foreign devices at once, unloading while calls go on, forks,
// and a hundred thousand cycles.

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::PluginPath;
using testing::Snapshot;

bool IsMapped(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

TEST(LifecycleTest, FrozenVersionOneLoadsAndRuns) {
  load_plugin(PluginPath("opaque"));
  const Device there = ParseDevice("opaque");
  const Tensor a = FromHost(tensor({1., 2.}), there), b = FromHost(tensor({10., 20.}), there);
  EXPECT_EQ(ToString(ToHost(call("add", a, b).tensor())), "tensor([11., 22.])");
  EXPECT_EQ(ToString(ToHost(call("opaque::twice", a).tensor())), "tensor([1., 2., 1., 2.])");
  EXPECT_FALSE(unload_plugin("opaque").unloaded);
}

TEST(LifecycleTest, ViewsOfBuffersWithoutAddressesFindTheirPlace) {
  const Device there = ParseDevice("opaque");
  const Tensor a = FromHost(tensor({1., 2., 3., 4.}), there);
  const Tensor tail = call("slice", a, 0, 2, 4).take();
  EXPECT_EQ(ToString(ToHost(call("add", tail, tail).tensor())), "tensor([6., 8.])");
}

TEST(LifecycleTest, TensorsMoveBetweenTwoForeignDevices) {
  load_plugin(PluginPath("fault"));
  {
    const Device opaque = ParseDevice("opaque"), fault = ParseDevice("fault");
    const Tensor a = FromHost(tensor({1., 2.}), opaque);
    const Tensor b = Tensor::Empty({2}, DType::kFloat32, fault);
    call("copy_", b, a);
    EXPECT_EQ(ToString(ToHost(b)), "tensor([1., 2.])");
    call("fill_", b, 7.);
    call("copy_", a, b);
    EXPECT_EQ(ToString(ToHost(a)), "tensor([7., 7.])");
    EXPECT_THAT(try_call("add", a, b).message, HasSubstr("opaque"));
  }
  EXPECT_EQ(unload_plugin("fault").text, "unloaded");
}

TEST(LifecycleTest, LateFailureNamesItsCallAndStays) {
  const Device there = ParseDevice("opaque");
  const Tensor a = FromHost(tensor({1.}), there);
  setenv("OPAQUE_FAILS", "1", 1);
  const Tensor sum = call("add", a, a).take();
  EXPECT_THROW(BackendOf(there.type).Synchronize(0), Error);
  unsetenv("OPAQUE_FAILS");
  try {
    ToHost(sum);
    FAIL() << "the failure is forgotten";
  } catch (const Error& e) {
    EXPECT_THAT(e.message(), HasSubstr("has failed: the queue has failed"));
  }
}

TEST(LifecycleTest, BusyCountsWhatIsAlive) {
  const Device there = ParseDevice("opaque");
  const Tensor a = Tensor::Empty({2}, DType::kFloat32, there);
  const Tensor b = Tensor::Empty({4}, DType::kFloat32, there);
  const UnloadAnswer answer = unload_plugin("opaque");
  EXPECT_EQ(answer.text, "busy: 2 tensors (24 bytes)");
  EXPECT_EQ(answer.tensors, 2);
}

TEST(LifecycleTest, DefaultDeviceIsInUse) {
  SetDefaultDevice(ParseDevice("opaque"));
  EXPECT_EQ(unload_plugin("opaque").text, "busy: its device is the default device");
  SetDefaultDevice({kHost});
}

TEST(LifecycleTest, UnloadingUnmapsAndLeavesWhatWasThere) {
  const UnloadAnswer a = unload_plugin("opaque");
  EXPECT_EQ(a.text, "unloaded");
  EXPECT_TRUE(a.unmapped);
  EXPECT_FALSE(IsMapped(PluginPath("opaque")));
  EXPECT_EQ(try_call("opaque::twice", tensor({1.})).code, ErrorCode::kNotFound);
}

TEST(LifecycleTest, DevicesOfAnUnloadedPluginAreUnavailable) {
  EXPECT_THROW(Tensor::Empty({1}, DType::kFloat32, ParseDevice("opaque")), Error);
}

TEST(LifecycleTest, WhoHoldsAnOperatorCallsNothingThatIsUnmapped) {
  load_plugin(PluginPath("opaque"));
  const OperatorEntry& op = *Registry::Global().Find("opaque::twice");
  unload_plugin("opaque");
  Result result;
  const Tensor x = tensor({1.});
  const Value given[] = {Value(x)};
  EXPECT_THROW(CallBoxed(op, given, {&result, 1}), Error);
}

TEST(LifecycleTest, UnloadWaitsForCallsOfOtherThreads) {
  const std::string before = Snapshot();
  std::atomic<bool> stop{false};
  std::atomic<int> calls{0};
  std::vector<std::thread> threads;
  threads.reserve(2);
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      const Tensor x = tensor({1., 2.});
      while (!stop.load()) {
        const Outcome o = try_call("fault::twice", x);
        if (o) calls.fetch_add(1);
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    load_plugin(PluginPath("fault"));
    std::this_thread::yield();
    ASSERT_TRUE(unload_plugin("fault").unloaded);
  }
  load_plugin(PluginPath("fault"));
  const int loaded = calls.load();
  while (calls.load() < loaded + 100) std::this_thread::yield();
  stop.store(true);
  for (std::thread& t : threads) t.join();
  unload_plugin("fault");
  EXPECT_EQ(Snapshot(), before);
}

// What a program does with a device, again and again, while the plugin comes and goes: it works or
// says that the plugin is not there, and unloading waits or answers busy.
TEST(LifecycleTest, UnloadWhileOthersUseTheDevice) {
  const std::string path = PluginPath("queued");
  std::atomic<bool> stop{false}, rest{false};
  std::atomic<int> worked{0}, resting{0};
  std::mutex mutex;
  std::set<std::string> wrong;
  const auto fail = [&](const std::string& how) {
    std::lock_guard lock(mutex);
    wrong.insert(how);
  };
  const auto use = [&](int number) {
    const Device d = ParseDevice("queued");
    const StreamGuard guard(Stream::New(d));
    const Tensor host = Tensor::Empty({100}, DType::kFloat32);
    std::fill_n(host.data<float>(), 100, static_cast<float>(number));
    const Tensor x = Tensor::Empty({100}, DType::kFloat32, d);
    call("copy_", x, PinnedCopy(host, d), true);
    const Tensor sum = call("add", x, x).take();
    const Tensor other = Tensor::Empty({100}, DType::kFloat32, ParseDevice("queued:1"));
    call("copy_", other, sum);  // one shares, the other adopts
    CurrentStream(d).RecordEvent().Synchronize();
    GetMemoryStats(d);
    const Tensor back = ToHost(other);
    if (back.data<float>()[99] != 2 * static_cast<float>(number)) fail("another number");
    worked.fetch_add(1);
  };
  std::vector<std::thread> threads;
  for (int t = 1; t <= 3; ++t) {
    threads.emplace_back([&, t] {
      while (!stop.load()) {
        try {
          use(t);
        } catch (const Error& e) {
          if (e.code() != ErrorCode::kUnavailable && e.code() != ErrorCode::kNotFound)
            fail(e.message());
        }
        usleep(1000);  // or there is always something alive
        if (!rest.load()) continue;
        ++resting;
        while (rest.load()) usleep(100);
        --resting;
      }
    });
  }
  int busy = 0;
  const int cycles = SY_SANITIZED ? 30 : 100;
  for (int i = 0; i < cycles; ++i) {
    load_plugin(path);
    const int before = worked.load();
    while (worked.load() == before) std::this_thread::yield();
    UnloadAnswer answer = unload_plugin("queued");
    for (int tries = 0; !answer.unloaded && tries < 200; ++tries) {
      ++busy;
      usleep(50);
      answer = unload_plugin("queued");
    }
    if (answer.unloaded) continue;
    // Threads that take turns may always hold something between them. Once they rest, nobody would
    // ever let go of what is still alive.
    rest.store(true);
    while (resting.load() < static_cast<int>(threads.size())) std::this_thread::yield();
    answer = unload_plugin("queued");
    rest.store(false);
    while (resting.load() != 0) std::this_thread::yield();
    EXPECT_TRUE(answer.unloaded) << answer.text;
    if (!answer.unloaded) break;
  }
  stop.store(true);
  for (std::thread& t : threads) t.join();
  EXPECT_THAT(wrong, ::testing::IsEmpty());
  EXPECT_GT(busy, 0);
  EXPECT_FALSE(IsMapped(path));
}

TEST(LifecycleTest, ChildOfAForkGetsAnErrorAndFreesNothing) {
  load_plugin(PluginPath("fault"));
  {
    Tensor x = Tensor::Empty({2}, DType::kFloat32, ParseDevice("fault"));
    const pid_t child = fork();
    if (child == 0) {
      int status = 0;
      try {
        Tensor::Empty({2}, DType::kFloat32, ParseDevice("fault"));
        status = 1;
      } catch (const Error& e) {
        if (e.message().find("before fork") == std::string::npos) status = 2;
      }
      x = Tensor();
      _exit(status);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_TRUE(WIFEXITED(status));
  }
  EXPECT_TRUE(unload_plugin("fault").unloaded);
}

TEST(LifecycleTest, ManyCyclesLeakNothingAndUnmap) {
  const int cycles = SY_SANITIZED ? 300 : 100000;
  const std::string path = PluginPath("opaque");
  const auto cycle = [&] {
    load_plugin(path);
    FromHost(tensor({1.}), ParseDevice("opaque"));
    return unload_plugin("opaque").unmapped;
  };
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(cycle());
  const size_t before = mallinfo2().uordblks;
  for (int i = 0; i < cycles; ++i) ASSERT_TRUE(cycle());
  // Nothing that grows with the number of cycles: less than a byte for each.
  if (!SY_SANITIZED) {
    EXPECT_LT(mallinfo2().uordblks, before + static_cast<size_t>(cycles));
  }
  EXPECT_FALSE(IsMapped(path));
}

}  // namespace
}  // namespace sy
