// Queues and events: work of one stream goes in order, that of two only where an event says so.

#include "switchyard/core/accelerator.h"
#include "testing.h"

namespace opencl {
namespace {

class StreamTest : public PluginTest {
 protected:
  static Device Gpu() { return ParseDevice("opencl:0"); }
  static Tensor Ones() { return ones({1000}, std::nullopt, std::nullopt, Gpu()); }
};

TEST_F(StreamTest, WorkOfAStreamIsDoneInOrder) {
  const StreamGuard guard(Stream::New(Gpu()));
  const Tensor x = Ones();
  for (int i = 0; i < 20; ++i) add_(x, x);  // each needs the one before
  EXPECT_EQ(item(sum(x)).To<double>(), 1000. * (1 << 20));
}

TEST_F(StreamTest, AStreamWaitsForWhatAnotherHasRecorded) {
  const Stream makes = Stream::New(Gpu()), uses = Stream::New(Gpu());
  Tensor x;
  Event made;
  {
    const StreamGuard guard(makes);
    x = Ones();
    for (int i = 0; i < 20; ++i) add_(x, x);
    made.Record(makes);
  }
  const StreamGuard guard(uses);
  uses.WaitEvent(made);
  RecordStream(x, uses);
  EXPECT_EQ(item(sum(x)).To<double>(), 1000. * (1 << 20));
}

TEST_F(StreamTest, AnEventThatWasWaitedForHasHappened) {
  Event done;
  const Tensor x = Ones();
  add_(x, x);
  done.Record(CurrentStream(Gpu()));
  done.Synchronize();
  EXPECT_TRUE(done.Query());
}

TEST_F(StreamTest, AnEventIsRecordedAgain) {
  Event e;
  for (int i = 0; i < 3; ++i) {
    const Tensor x = Ones();
    e.Record(CurrentStream(Gpu()));
    e.Synchronize();
    EXPECT_TRUE(e.Query());
  }
}

TEST_F(StreamTest, TimePassesBetweenTwoEvents) {
  Event begin(/*timed=*/true), end(/*timed=*/true);
  begin.Record(CurrentStream(Gpu()));
  const Tensor x = Ones();
  for (int i = 0; i < 10; ++i) add_(x, x);
  end.Record(CurrentStream(Gpu()));
  end.Synchronize();
  EXPECT_GT(begin.ElapsedTime(end), 0);
}

TEST_F(StreamTest, CopiesFromPinnedMemoryArriveInOrder) {
  const Tensor pinned = PinnedCopy(arange(1000.), Gpu());
  EXPECT_TRUE(IsPinned(pinned));
  const Tensor x = empty({1000}, DType::kFloat32, std::nullopt, Gpu());
  copy_(x, pinned, /*non_blocking=*/true);
  add_(x, x);
  EXPECT_EQ(item(sum(x)).To<double>(), 999. * 1000);
}

TEST_F(StreamTest, WhatAStreamHasFreedIsUsedAgainSafely) {
  Tensor total = zeros({1 << 16}, DType::kFloat32, std::nullopt, Gpu());
  for (int i = 0; i < 100; ++i) {
    const Tensor step = full({1 << 16}, i, DType::kFloat32, std::nullopt, Gpu());
    add_(total, step);  // queued; step's memory is given back at once
  }
  EXPECT_EQ(item(select(total, 0, 12345)).To<double>(), 4950);
}

TEST_F(StreamTest, SynchronizingWaitsForEveryStream) {
  const Stream other = Stream::New(Gpu());
  {
    const StreamGuard guard(other);
    const Tensor x = Ones();
    for (int i = 0; i < 20; ++i) add_(x, x);
  }
  Synchronize(Gpu());
  EXPECT_TRUE(other.Query());
}

TEST_F(StreamTest, AStreamThatIsAliveKeepsThePlugin) {
  const Stream s = Stream::New(Gpu());
  EXPECT_EQ(unload_plugin("opencl").text, "busy: 1 stream");
}

}  // namespace
}  // namespace opencl
