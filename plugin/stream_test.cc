// Streams, events and copies that nobody waits for, on a device whose work is really done later.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/testing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/profiler.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::PluginPath;

class StreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("SWITCHYARD_PLUGIN_CACHING", "1", 1);  // with a sanitizer too
    load_plugin(PluginPath("queued"));
  }
  void TearDown() override {
    EXPECT_EQ(unload_plugin("queued").text, "unloaded");
    unsetenv("SWITCHYARD_PLUGIN_CACHING");
  }

  static Device Queued() { return ParseDevice("queued:0"); }
  static Tensor There(std::initializer_list<TensorLiteral> values) {
    return FromHost(tensor(values), Queued());
  }
  static std::string Here(const Tensor& t) { return ToString(ToHost(t)); }
  // The current stream stops until Open.
  static void Hold() { call("queued::hold", Tensor::Empty({1}, DType::kFloat32, Queued())); }
  static void Open(double streams = 1) { call("queued::open", tensor({streams})); }
  // What the driver was asked for since it was loaded.
  enum Count { kEvents, kHostToDevice, kDeviceToHost, kFrees, kHostFrees, kStreams };
  static int64_t Driver(Count what) {
    return call("queued::counts", tensor({0.})).tensor().data<int64_t>()[what];
  }
};

// --- Order ---

TEST_F(StreamTest, CopyKernelAndCopyBackWithoutWaiting) {
  const Tensor from = PinnedCopy(tensor({1., 2.}), Queued());
  const Tensor to = PinnedCopy(tensor({0., 0.}), Queued());
  const Tensor x = Tensor::Empty({2}, DType::kFloat32, Queued());
  Hold();
  call("copy_", x, from, true);
  const Tensor sum = call("add", x, x).take();
  call("copy_", to, sum, true);
  EXPECT_EQ(ToString(to), "tensor([0., 0.])");
  Open();
  CurrentStream(Queued()).Synchronize();
  EXPECT_EQ(ToString(to), "tensor([2., 4.])");
}

// After what both streams were given, before what they are given later, and without a wait.
TEST_F(StreamTest, CopiesBetweenIndicesAreQueuedOnBothStreams) {
  setenv("QUEUED_BETWEEN", "1", 1);
  const Device other = ParseDevice("queued:1");
  const Tensor x = There({1., 2.}), y = FromHost(tensor({0., 0.}), other);
  const int64_t to_host = Driver(kDeviceToHost);
  Hold();
  call("add_", x, x);
  call("copy_", y, x);
  call("fill_", x, 7.);
  EXPECT_FALSE(CurrentStream(Queued()).Query());
  EXPECT_FALSE(CurrentStream(other).Query());
  Open();
  EXPECT_EQ(Here(y), "tensor([2., 4.])");
  EXPECT_EQ(Here(x), "tensor([7., 7.])");
  EXPECT_EQ(Driver(kDeviceToHost), to_host + 2);  // what was looked at
  unsetenv("QUEUED_BETWEEN");
}

TEST_F(StreamTest, CopyOfOrdinaryMemoryIsDoneWhenItReturns) {
  const Tensor x = There({1., 2.});
  Tensor from = tensor({3., 4.});
  call("copy_", x, from, true);
  from.data<float>()[0] = 9;
  EXPECT_EQ(Here(x), "tensor([3., 4.])");
}

TEST_F(StreamTest, ToWithoutWaitingGivesPinnedMemory) {
  const Tensor x = There({1., 2.});
  const Tensor host = call("to.device", x, Device{kHost}, DType::kFloat32, true).take();
  CurrentStream(Queued()).Synchronize();
  EXPECT_TRUE(IsPinned(host));
  EXPECT_EQ(ToString(host), "tensor([1., 2.])");
}

TEST_F(StreamTest, StreamWaitsForAnEventOfAnother) {
  const Stream first = Stream::New(Queued()), second = Stream::New(Queued());
  const Tensor x = There({1., 2.});
  Event filled;
  {
    const StreamGuard guard(first);
    Hold();
    call("fill_", x, 7.);
    filled.Record(first);
  }
  Tensor sum;
  {
    const StreamGuard guard(second);
    second.WaitEvent(filled);
    sum = call("add", x, x).take();
    EXPECT_FALSE(second.Query());
    Open();
    second.Synchronize();
    EXPECT_TRUE(filled.Query());
  }
  EXPECT_EQ(Here(sum), "tensor([14., 14.])");
  sum = Tensor();
  filled = Event();
}

// What a kernel calls is queued where it queues itself, and layers see it.
TEST_F(StreamTest, CallsOfAKernelGoToItsStreamUnderItsLayers) {
  const Tensor x = There({1., 2.});
  const Stream other = Stream::New(Queued());
  Profiler profiler;
  Tensor y;
  {
    const StreamGuard guard(other);
    Hold();
    const Profiler::Scope on(profiler);
    y = call("queued::quadruple", x).take();
  }
  EXPECT_TRUE(CurrentStream(Queued()).Query());
  EXPECT_FALSE(other.Query());
  Open();
  other.Synchronize();
  EXPECT_EQ(Here(y), "tensor([4., 8.])");
  std::vector<std::string> seen;
  for (const Profiler::Event& e : profiler.Events()) seen.emplace_back(e.op);
  EXPECT_THAT(seen, ::testing::ElementsAre("queued::twice", "queued::twice", "queued::quadruple"));
  y = Tensor();
}

TEST_F(StreamTest, StreamWaitsForAnotherStream) {
  const Stream first = Stream::New(Queued()), second = Stream::New(Queued());
  {
    const StreamGuard guard(first);
    Hold();
  }
  const Event passed = first.RecordEvent();
  second.WaitStream(first);
  EXPECT_FALSE(second.Query());
  Open();
  second.Synchronize();
  EXPECT_TRUE(passed.Query());
}

TEST_F(StreamTest, StreamsDoNotWaitForEachOther) {
  const Stream held = Stream::New(Queued());
  {
    const StreamGuard guard(held);
    Hold();
  }
  EXPECT_EQ(Here(call("add", There({1.}), There({2.})).tensor()), "tensor([3.])");
  EXPECT_FALSE(held.Query());
  Open();
}

TEST_F(StreamTest, ThreadsCallOnStreamsOfTheirOwn) {
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      const StreamGuard guard(Stream::New(Queued()));
      Tensor x = There({static_cast<double>(i), 1.});
      for (int n = 0; n < 100; ++n) x = call("queued::twice", call("add", x, x).take()).take();
      for (int n = 0; n < 100; ++n) x = call("add", x, There({0., 0.}), kw("alpha", 4)).take();
      call("fill_", x, static_cast<double>(i));
      results[i] = Here(x);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_THAT(results, ::testing::ElementsAre("tensor([0., 0.])", "tensor([1., 1.])",
                                              "tensor([2., 2.])", "tensor([3., 3.])"));
}

TEST_F(StreamTest, SynchronizeWaitsForAllStreams) {
  const Stream s = Stream::New(Queued());
  {
    const StreamGuard guard(s);
    Hold();
  }
  Open();
  Synchronize(Queued());
  EXPECT_TRUE(s.Query());
}

TEST_F(StreamTest, StreamOfAnotherLibraryIsUsedAndKept) {
  const Stream theirs = Stream::New(Queued());
  const int64_t streams = Driver(kStreams);
  {
    const Stream wrapped = Stream::FromNative(Queued(), theirs.native_handle());
    const StreamGuard guard(wrapped);
    Hold();
  }
  EXPECT_FALSE(theirs.Query());
  Open();
  theirs.Synchronize();
  EXPECT_EQ(Driver(kStreams), streams);
}

// --- Events ---

TEST_F(StreamTest, EventsAreUsedAgain) {
  const Stream s = Stream::New(Queued());
  for (int i = 0; i < 100; ++i) s.RecordEvent().Synchronize();
  EXPECT_EQ(Driver(kEvents), 1);
}

TEST_F(StreamTest, EventRecordedAgainMarksTheNewPlace) {
  const Stream s = Stream::New(Queued());
  const StreamGuard guard(s);
  Event e = s.RecordEvent();
  e.Synchronize();
  Hold();
  e.Record(s);
  EXPECT_FALSE(e.Query());
  Open();
  e.Synchronize();
}

TEST_F(StreamTest, ElapsedTimeIsTheDriversClock) {
  const Stream s = CurrentStream(Queued());
  const Tensor x = There({1.});
  const Event from = s.RecordEvent(true);
  call("fill_", x, 1.);
  call("fill_", x, 2.);
  const Event to = s.RecordEvent(true);
  to.Synchronize();
  EXPECT_EQ(from.ElapsedTime(to), 2.);
}

TEST_F(StreamTest, StreamsOfTwoPluginsMeetOnTheHost) {
  load_plugin(PluginPath("opaque"));
  {
    const Device opaque = ParseDevice("opaque");
    const Tensor a = FromHost(tensor({1.}), opaque);
    const Tensor sum = call("add", a, a).take();  // queued: nothing is done before somebody waits
    const Stream s = Stream::New(Queued());
    const Event added = CurrentStream(opaque).RecordEvent();
    EXPECT_FALSE(added.Query());
    s.WaitEvent(added);
    EXPECT_TRUE(added.Query());
    EXPECT_TRUE(s.Query());
  }
  EXPECT_EQ(unload_plugin("opaque").text, "unloaded");
}

TEST_F(StreamTest, EventOfTheSecondDeviceMeetsTheFirstOnTheHost) {
  const Event there = Stream::New(ParseDevice("queued:1")).RecordEvent();
  const Stream here = Stream::New(Queued());
  here.WaitEvent(there);
  EXPECT_TRUE(there.Query());
}

// --- Memory ---

TEST_F(StreamTest, MemoryIsFreedInTheOrderOfItsStream) {
  const Stream s = Stream::New(Queued());
  const StreamGuard guard(s);
  Hold();
  { const Tensor x = Tensor::Empty({400}, DType::kFloat32, Queued()); }
  EmptyCache(Queued().type);
  const int64_t before = Driver(kFrees);
  Open();
  s.Synchronize();
  EXPECT_EQ(before, 0);
  EXPECT_EQ(Driver(kFrees), 3);  // what `hold` got and gave as well
}

TEST_F(StreamTest, RecordedStreamKeepsMemoryThatItUses) {
  const Stream other = Stream::New(Queued());
  Tensor x = There({1., 2.}), sum;
  {
    const StreamGuard guard(other);
    Hold();
    sum = call("add", x, x).take();
  }
  RecordStream(x, other);
  Synchronize(ParseDevice("queued:1"));
  const int64_t before = Driver(kFrees);
  const void* const used = x.data();
  x = Tensor();  // not to be had before `other` has passed
  EXPECT_NE(There({3., 4.}).data(), used);
  EmptyCache(Queued().type);
  EXPECT_LE(Driver(kFrees), before + 1);
  Open();
  other.Synchronize();
  EXPECT_EQ(Here(sum), "tensor([2., 4.])");
}

TEST_F(StreamTest, PinnedMemoryStaysUntilItsCopiesAreDone) {
  Tensor x = Tensor::Empty({2}, DType::kFloat32, Queued());
  Hold();
  {
    const Tensor from = PinnedCopy(tensor({5., 6.}), Queued());
    call("copy_", x, from, true);
  }
  EXPECT_EQ(Driver(kHostFrees), 0);
  Open();
  EXPECT_EQ(Here(x), "tensor([5., 6.])");
  EmptyPinnedCache(Queued().type);  // a time to look
  EXPECT_EQ(Driver(kHostFrees), 1);
}

TEST_F(StreamTest, StatisticsComeBackToTheBaseline) {
  const MemoryStats before = GetMemoryStats(Queued());
  {
    const StreamGuard guard(Stream::New(Queued()));
    const Tensor x = call("queued::twice", There({1., 2., 3.})).take();
    EXPECT_EQ(GetMemoryStats(Queued()).allocated_bytes, before.allocated_bytes + 12);
  }
  const MemoryStats after = GetMemoryStats(Queued());
  EXPECT_EQ(after.allocated_bytes, before.allocated_bytes);
  EXPECT_EQ(after.allocations - before.allocations, after.frees - before.frees);
  EXPECT_EQ(after.peak_bytes, before.allocated_bytes + 24);
  ResetPeakMemoryStats(Queued());
  EXPECT_EQ(GetMemoryStats(Queued()).peak_bytes, after.allocated_bytes);
}

TEST_F(StreamTest, HostReadsMemoryThatItMayTouchWhereItLies) {
  load_plugin(PluginPath("fault"));  // host visible
  {
    const Tensor from = FromHost(tensor({1., 2.}), ParseDevice("fault"));
    const Tensor x = Tensor::Empty({2}, DType::kFloat32, Queued());
    const testing::Fault fault("copy fails");  // of its own copies
    call("copy_", x, from);
    EXPECT_EQ(Driver(kHostToDevice), 1);
    EXPECT_EQ(Here(x), "tensor([1., 2.])");
  }
  EXPECT_EQ(unload_plugin("fault").text, "unloaded");
}

// --- Failures ---

TEST_F(StreamTest, LateFailureNamesItsOperatorAndStaysOnItsStream) {
  const Stream failing = Stream::New(Queued());
  const Tensor x = There({1.});
  {
    const StreamGuard guard(failing);
    call("fill_", x, 2.);
    call("queued::fail", x);
    call("fill_", x, 3.);
  }
  const std::string error = ErrorOf([&] { failing.Synchronize(); });
  EXPECT_THAT(error, HasSubstr("unavailable: device 'queued:0': work queued by call "));
  EXPECT_THAT(error, HasSubstr(", queued::fail(), has failed: the queue has stumbled"));
  EXPECT_EQ(ErrorOf([&] { failing.Synchronize(); }), error);
  EXPECT_EQ(ErrorOf([&] { Synchronize(Queued()); }), error);
  CurrentStream(Queued()).Synchronize();  // others go on
}

TEST_F(StreamTest, FailureOfAGoneStreamIsGone) {
  {
    const StreamGuard guard(Stream::New(Queued()));
    call("queued::fail", There({1.}));
  }
  EXPECT_NO_THROW(Synchronize(Queued()));
}

// --- Unloading ---

TEST_F(StreamTest, LivingStreamsAndEventsAreBusy) {
  const Stream s = Stream::New(Queued());
  const Event e = s.RecordEvent();
  const UnloadAnswer a = unload_plugin("queued");
  EXPECT_EQ(a.text, "busy: 1 stream, 1 event");
  EXPECT_EQ(a.streams, 1);
}

TEST_F(StreamTest, ThreadThatEndsLeavesItsStream) {
  std::thread([] { SetStream(Stream::New(Queued())); }).join();
  EXPECT_EQ(Driver(kStreams), 1);  // the default one
}

TEST_F(StreamTest, DefaultStreamSaysThatItsPluginIsGone) {
  const Stream s = DefaultStream(Queued());
  s.Synchronize();
  ASSERT_TRUE(unload_plugin("queued").unloaded);
  EXPECT_THAT(ErrorOf([&] { s.Synchronize(); }), HasSubstr("plugin 'queued' is not loaded"));
  load_plugin(PluginPath("queued"));
  There({1.});
  EXPECT_THAT(ErrorOf([&] { s.Synchronize(); }), HasSubstr("plugin 'queued' was unloaded"));
}

// Lost while there is more behind it in the queue: what was queued is waited for once, then nothing
// is asked of that device; the other one of its kind goes on.
TEST_F(StreamTest, ADeviceThatIsLostInTheMiddleOfItsQueue) {
  {
    Tensor x = There({1., 2.});
    const Tensor other = FromHost(tensor({3.}), ParseDevice("queued:1"));
    const Stream second = Stream::New(Queued());
    const Event event = second.RecordEvent();
    Hold();
    call("queued::lose", x);
    const Tensor behind = call("add", x, x).take();
    Open();
    const std::string error = ErrorOf([] { CurrentStream(Queued()).Synchronize(); });
    EXPECT_THAT(error, HasSubstr("unavailable: device 'queued:0': work queued by call "));
    EXPECT_THAT(error, HasSubstr(", queued::lose(), has failed: the cable is out"));
    EXPECT_EQ(ErrorOf([] { Synchronize(Queued()); }), error);
    EXPECT_EQ(ErrorOf([&] { second.Synchronize(); }), error);
    EXPECT_EQ(ErrorOf([&] { event.Synchronize(); }), error);
    EXPECT_EQ(ErrorOf([&] { call("add", x, x); }), error);
    EXPECT_EQ(ErrorOf([&] { ToHost(behind); }), error);
    EXPECT_EQ(ErrorOf([] { Tensor::Empty({1}, DType::kFloat32, Queued()); }), error);
    EXPECT_EQ(Here(other), "tensor([3.])");
    x = Tensor();
  }
  EXPECT_EQ(unload_plugin("queued").text, "unloaded");
  load_plugin(PluginPath("queued"));
  EXPECT_EQ(Here(There({5.})), "tensor([5.])");
}

}  // namespace
}  // namespace sy
