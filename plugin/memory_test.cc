// Memory of a plugin's device that was freed is kept for reuse, in the order of streams, until the
// driver needs it or the plugin goes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
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

class MemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("SWITCHYARD_PLUGIN_CACHING", "1", 1);
    load_plugin(PluginPath("queued"));
  }
  void TearDown() override {
    EXPECT_EQ(unload_plugin("queued").text, "unloaded");
    unsetenv("SWITCHYARD_PLUGIN_CACHING");
  }
  static Device Queued(int index = 0) { return ParseDevice(index == 0 ? "queued:0" : "queued:1"); }
  static Tensor Make(int64_t n, int index = 0) {
    return Tensor::Empty({n}, DType::kFloat32, Queued(index));
  }
  static const void* AddressOfOne(int64_t n, int index = 0) { return Make(n, index).data(); }
  static void Hold() { call("queued::hold", Make(1)); }
  static void Open() { call("queued::open", tensor({1.})); }
  static int64_t Frees() {
    constexpr int kFrees = 3;  // of the plugin's counts
    return call("queued::counts", tensor({0.})).tensor().data<int64_t>()[kFrees];
  }
};

TEST_F(MemoryTest, AFreedBlockServesTheNextOfItsSizeClass) {
  const void* first = AddressOfOne(100);
  EXPECT_EQ(AddressOfOne(100), first);
  EXPECT_EQ(AddressOfOne(97), first);  // 388 and 400 bytes: 448
  EXPECT_NE(AddressOfOne(1000), first);
  const Tensor x = Make(100), y = Make(100);
  EXPECT_EQ(x.data(), first);
  EXPECT_NE(y.data(), first);
}

TEST_F(MemoryTest, AnotherStreamOrIndexDoesNotGetIt) {
  const void* first = AddressOfOne(100);
  EXPECT_NE(AddressOfOne(100, 1), first);
  const StreamGuard guard(Stream::New(Queued()));
  EXPECT_NE(AddressOfOne(100), first);
}

TEST_F(MemoryTest, WhatAnotherStreamUsesWaitsForIt) {
  const Stream other = Stream::New(Queued());
  Tensor x = Make(100);
  const void* first = x.data();
  {
    const StreamGuard guard(other);
    Hold();
  }
  RecordStream(x, other);
  x = Tensor();
  Tensor y = Make(100);
  EXPECT_NE(y.data(), first);
  EXPECT_TRUE(CurrentStream(Queued()).Query());  // nothing else waits
  Open();
  other.Synchronize();
  const Tensor z = Make(100);  // there is none kept: a time to look
  EXPECT_EQ(z.data(), first);
}

TEST_F(MemoryTest, StatisticsTellWhatIsKept) {
  const MemoryStats before = GetMemoryStats(Queued());
  AddressOfOne(100);
  AddressOfOne(100);
  MemoryStats s = GetMemoryStats(Queued());
  EXPECT_EQ(s.allocated_bytes, before.allocated_bytes);
  EXPECT_EQ(s.reserved_bytes, before.reserved_bytes + 448);
  EXPECT_EQ(s.allocations, before.allocations + 2);
  EXPECT_EQ(s.frees, before.frees + 2);
  EmptyCache(Queued().type);
  s = GetMemoryStats(Queued());
  EXPECT_EQ(s.reserved_bytes, s.allocated_bytes);
  Synchronize(Queued());
  EXPECT_EQ(Frees(), 1);
}

TEST_F(MemoryTest, AStreamThatGoesGivesBackWhatItKept) {
  std::thread([] {
    const StreamGuard guard(Stream::New(Queued()));
    Make(100);
  }).join();
  Synchronize(Queued());
  EXPECT_EQ(Frees(), 1);
}

TEST_F(MemoryTest, SizesThatNobodyAsksForAnyMoreAreGivenBack) {
  for (int64_t n = 1; n <= 40; ++n) AddressOfOne(n << 20);  // 4 … 160 MB
  const MemoryStats s = GetMemoryStats(Queued());
  EXPECT_LE(s.reserved_bytes, 2 * s.peak_bytes + (int64_t{32} << 20));
}

TEST_F(MemoryTest, LimitIsKeptByGivingBackFirst) {
  SetMemoryLimit(Queued(), 10000);
  AddressOfOne(2000);
  const Tensor x = Make(1500);  // not beside 8192 bytes that are kept
  try {
    Make(2000);
    ADD_FAILURE() << "beyond the limit";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory);
    EXPECT_THAT(e.message(), HasSubstr("6000 bytes in 1 blocks are alive, the limit is 10000"));
  }
  SetMemoryLimit(Queued(), 0);
  EXPECT_NO_THROW(Make(2000));
}

TEST_F(MemoryTest, TheHostHasNoLimit) { EXPECT_THROW(SetMemoryLimit({kHost}, 1000), Error); }

TEST_F(MemoryTest, KeptBlocksAreNotAliveAndGoWithThePlugin) {
  AddressOfOne(100);
  ASSERT_EQ(unload_plugin("queued").text, "unloaded");
  load_plugin(PluginPath("queued"));
  EXPECT_EQ(GetMemoryStats(Queued()).reserved_bytes, 0);
}

TEST_F(MemoryTest, ALostDeviceGetsBackWhatWasKept) {
  {
    const Tensor x = Make(4);
    AddressOfOne(1000);
    call("queued::lose", x);
    EXPECT_THROW(CurrentStream(Queued()).Synchronize(), Error);
  }
  EXPECT_EQ(unload_plugin("queued").text, "unloaded");  // with asan: nothing leaks
  load_plugin(PluginPath("queued"));
  EXPECT_NO_THROW(Make(4));
}

TEST_F(MemoryTest, ThreadsShareWhatIsKept) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 1000; ++i) {
        const Tensor x = Make(i % 7 * 50 + 1), y = Make(10);
        if (i % 100 == 0) EmptyCache(Queued().type);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  const MemoryStats s = GetMemoryStats(Queued());
  EXPECT_EQ(s.allocated_bytes, 0);
  EXPECT_EQ(s.allocations, s.frees);
}

TEST(UncachedMemoryTest, TheEnvironmentSwitchesKeepingOff) {
  setenv("SWITCHYARD_PLUGIN_CACHING", "0", 1);
  load_plugin(PluginPath("queued"));
  const Device queued = ParseDevice("queued:0");
  { const Tensor x = Tensor::Empty({100}, DType::kFloat32, queued); }
  EXPECT_EQ(GetMemoryStats(queued).reserved_bytes, 0);
  EXPECT_EQ(unload_plugin("queued").text, "unloaded");
  unsetenv("SWITCHYARD_PLUGIN_CACHING");
}

}  // namespace
}  // namespace sy
