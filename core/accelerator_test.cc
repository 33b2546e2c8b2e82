#include "switchyard/core/accelerator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

// Two devices with streams that note what they are told.
struct TestStream final : StreamImpl {
  using StreamImpl::StreamImpl;
  void* native() const override { return nullptr; }
  bool Query() override { return waits_for == nullptr; }
  void Synchronize() override { waits_for = nullptr; }
  EventImpl* waits_for = nullptr;
};
struct TestEvent final : EventImpl {
  using EventImpl::EventImpl;
  void* native() const override { return nullptr; }
  void Record(StreamImpl&) override {}
  void MakeWait(StreamImpl& stream) override { static_cast<TestStream&>(stream).waits_for = this; }
  bool Query() override { return synchronized; }
  void Synchronize() override { synchronized = true; }
  double ElapsedTime(EventImpl&) override { return 1; }
  bool synchronized = false;
};
class TestDevice final : public DeviceBackend {
 public:
  explicit TestDevice(const char* name) : type_(RegisterDevice(name, this, "test")) {}
  int Count(std::string*) override { return 2; }
  Allocator* allocator() override { return nullptr; }
  void CopyFromHost(void*, const void*, size_t, int, StreamHandle) override {}
  void CopyToHost(void*, const void*, size_t, int, StreamHandle) override {}
  void CopyWithin(void*, const void*, size_t, int, StreamHandle) override {}
  StreamImpl* DefaultStream(int index) override {
    if (gone || no_streams) Fail(ErrorCode::kUnavailable, "gone");
    return &defaults_[index];
  }
  void SetCurrent(int) override {
    if (gone) Fail(ErrorCode::kUnavailable, "gone");
  }
  StreamImpl* NewStream(int index, int) override { return new TestStream(At(index)); }
  EventImpl* NewEvent(int index, bool) override { return new TestEvent(At(index)); }
  Device At(int index) const { return {type_, static_cast<int16_t>(index)}; }
  bool gone = false, no_streams = false;

 private:
  const DeviceType type_;
  TestStream defaults_[2] = {TestStream(At(0)), TestStream(At(1))};
};
TestDevice& A() {
  static auto* device = new TestDevice("a");
  return *device;
}
TestDevice& B() {
  static auto* device = new TestDevice("b");
  return *device;
}

TEST(AcceleratorTest, HostHasOneStreamThatIsDone) {
  const Stream s = Stream::New({kHost});
  EXPECT_EQ(s, CurrentStream({kHost}));
  EXPECT_TRUE(s.Query());
  EXPECT_EQ(DeviceCount(kHost), 1);
}

TEST(AcceleratorTest, HostHasNoEvents) {
  EXPECT_EQ(ErrorOf([] { Stream().RecordEvent(); }),
            "not implemented: an event on cpu: the device does not support events");
}

TEST(AcceleratorTest, EventThatWasNeverRecordedHasHappened) {
  const Event e;
  EXPECT_TRUE(e.Query());
  e.Synchronize();
  const Stream s = Stream::New(A().At(0));
  s.WaitEvent(e);
  EXPECT_TRUE(s.Query());
}

TEST(AcceleratorTest, DeviceGuardRestores) {
  {
    const DeviceGuard guard(A().At(1));
    EXPECT_EQ(CurrentDevice(A().At(0).type), A().At(1));
  }
  EXPECT_EQ(CurrentDevice(A().At(0).type), A().At(0));
}

TEST(AcceleratorTest, DeviceWithoutIndexIsTheCurrentOne) {
  const DeviceGuard guard(A().At(1));
  EXPECT_EQ(Tensor::Empty({1}, DType::kFloat32, ParseDevice("a")).device().str(), "a:1");
}

TEST(AcceleratorTest, IndexTooLargeChangesNothing) {
  EXPECT_THAT(ErrorOf([] { SetDevice(A().At(2)); }), HasSubstr("there are 2 devices"));
  EXPECT_EQ(CurrentDevice(A().At(0).type), A().At(0));
}

TEST(AcceleratorTest, CurrentStreamIsOfOneThreadAndDevice) {
  const Stream s = Stream::New(A().At(1));
  const StreamGuard guard(s);
  EXPECT_EQ(CurrentStream(A().At(1)), s);
  EXPECT_EQ(CurrentStream(A().At(0)), DefaultStream(A().At(0)));
  std::thread([&] { EXPECT_EQ(CurrentStream(A().At(1)), DefaultStream(A().At(1))); }).join();
}

// Or the thread would hold the stream for ever, and its plugin could not be unloaded.
TEST(AcceleratorTest, GuardsRestoreWhatTheyFoundWhileTheDeviceIsNotToBeHad) {
  const Stream before = Stream::New(A().At(0));
  for (const bool chosen : {false, true}) {
    if (chosen) SetStream(before);
    {
      const DeviceGuard device(A().At(0));
      const StreamGuard stream(Stream::New(A().At(0)));
      const StreamGuard elsewhere(Stream::New(A().At(1)));
      A().gone = true;
    }
    A().gone = false;
    EXPECT_EQ(CurrentDevice(A().At(0).type), A().At(0));
    EXPECT_EQ(CurrentStream(A().At(1)), DefaultStream(A().At(1)));
    EXPECT_EQ(CurrentStream(A().At(0)), chosen ? before : DefaultStream(A().At(0)));
  }
  SetStream(DefaultStream(A().At(0)));
}

TEST(AcceleratorTest, StreamThatCannotBeCurrentChangesNothing) {
  const Stream s = Stream::New(A().At(0));
  const StreamGuard guard(s);
  const Stream other = Stream::New(A().At(0));
  for (bool* const what : {&A().gone, &A().no_streams}) {
    *what = true;
    EXPECT_EQ(ErrorOf([&] { SetStream(other); }), "unavailable: gone");
    *what = false;
    EXPECT_EQ(CurrentStream(A().At(0)), s);
  }
}

TEST(AcceleratorTest, StreamGuardRestoresStreamAndDevice) {
  {
    const StreamGuard outer(Stream::New(A().At(1)));
    const Stream before = CurrentStream(A().At(1));
    { const StreamGuard inner(Stream::New(A().At(1))); }
    EXPECT_EQ(CurrentStream(A().At(1)), before);
  }
  EXPECT_EQ(CurrentDevice(A().At(0).type), A().At(0));
  EXPECT_EQ(CurrentStream(A().At(1)), DefaultStream(A().At(1)));
}

TEST(AcceleratorTest, StreamWaitsForAnotherOfItsDevice) {
  const Stream s = Stream::New(A().At(0)), other = Stream::New(A().At(0));
  s.WaitStream(other);
  EXPECT_FALSE(s.Query());
}

TEST(AcceleratorTest, StreamsOfTwoKindsMeetOnTheHost) {
  const Stream s = Stream::New(A().At(0));
  const Event e = Stream::New(B().At(0)).RecordEvent();
  s.WaitEvent(e);
  EXPECT_TRUE(e.Query());  // the thread has waited
  EXPECT_TRUE(s.Query());  // the stream does not
}

TEST(AcceleratorTest, EventStaysWithItsDevice) {
  Event e = Stream::New(A().At(0)).RecordEvent();
  EXPECT_THAT(ErrorOf([&] { e.Record(Stream::New(A().At(1))); }), HasSubstr("an event of a:0"));
}

TEST(AcceleratorTest, ElapsedTimeNeedsTwoThatAreTimedAndDone) {
  const Stream s = Stream::New(A().At(0));
  const Event plain = s.RecordEvent(), from = s.RecordEvent(true), to = s.RecordEvent(true);
  EXPECT_THAT(ErrorOf([&] { from.ElapsedTime(plain); }), HasSubstr("both must be timed"));
  EXPECT_THAT(ErrorOf([&] { from.ElapsedTime(Event(true)); }), HasSubstr("must be recorded"));
  EXPECT_THAT(ErrorOf([&] { from.ElapsedTime(to); }), HasSubstr("busy"));
  from.Synchronize();
  to.Synchronize();
  EXPECT_EQ(from.ElapsedTime(to), 1);
}

TEST(AcceleratorTest, DeviceWithoutPinnedMemorySaysSo) {
  EXPECT_THAT(ErrorOf([] { PinnedCopy(Tensor::Empty({2}, DType::kFloat32), A().At(0)); }),
              HasSubstr("pinned memory of a:0"));
  EXPECT_FALSE(IsPinned(Tensor::Empty({2}, DType::kFloat32)));
}

TEST(AcceleratorTest, HostCountsItsMemory) {
  const int64_t before = GetMemoryStats({kHost}).allocated_bytes;
  const Tensor t = Tensor::Empty({1 << 20}, DType::kUInt8);
  EXPECT_EQ(GetMemoryStats({kHost}).allocated_bytes, before + (1 << 20));
}

}  // namespace
}  // namespace sy
