// Collectives of tensors on a device: a group, the engine "nccl" on a stand-in for the library, and
// a device called "cuda" whose memory is the host's and whose streams are done when the test says
// so. What a GPU does is not tested here.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "switchyard/collective/group.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/core/stream_impl.h"
#include "switchyard/core/testing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"

namespace sy::collective {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::atomic<bool> stuck{false};     // streams do not go on
std::atomic<bool> captured{false};  // and cannot be asked

bool Done() {
  if (captured) Fail(ErrorCode::kInvalidArgument, "not while a graph is captured");
  return !stuck;
}
void Wait() {
  while (!Done()) std::this_thread::sleep_for(milliseconds(1));
}
class FakeStream final : public StreamImpl {
 public:
  using StreamImpl::StreamImpl;
  void* native() const override { return nullptr; }
  bool Query() override { return Done(); }
  void Synchronize() override { Wait(); }
};
class FakeEvent final : public EventImpl {
 public:
  using EventImpl::EventImpl;
  void* native() const override { return nullptr; }
  void Record(StreamImpl&) override {}
  void MakeWait(StreamImpl&) override {}
  bool Query() override { return Done(); }
  void Synchronize() override { Wait(); }
  double ElapsedTime(EventImpl&) override { return 0; }
};
class FakeGpu final : public DeviceBackend, public Allocator {
 public:
  FakeGpu() : type_(RegisterDevice("cuda", this, "test")), stream_(At(0)) {}
  int Count(std::string*) override { return 1; }
  Allocator* allocator() override { return this; }
  Allocation Allocate(const AllocationRequest& request) override {
    return {std::malloc(request.bytes), nullptr};
  }
  void Free(const Allocation& a, size_t) noexcept override { std::free(a.data); }
  MemoryStats Stats(int) const override { return {}; }
  void CopyFromHost(void* to, const void* from, size_t n, int, StreamHandle) override {
    std::memcpy(to, from, n);
  }
  void CopyToHost(void* to, const void* from, size_t n, int, StreamHandle) override {
    std::memcpy(to, from, n);
  }
  void CopyWithin(void* to, const void* from, size_t n, int, StreamHandle) override {
    std::memcpy(to, from, n);
  }
  StreamImpl* DefaultStream(int) override { return &stream_; }
  StreamImpl* NewStream(int, int) override { return new FakeStream(At(0)); }
  EventImpl* NewEvent(int, bool) override { return new FakeEvent(At(0)); }
  Device At(int index) const { return {type_, static_cast<int16_t>(index)}; }

 private:
  const DeviceType type_;
  FakeStream stream_;
};
FakeGpu& Gpu() {
  static auto* const gpu = new FakeGpu;
  return *gpu;
}

class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    Gpu();
    ASSERT_NE(dlopen("collective/nccl/libnccl.so.2", RTLD_NOW), nullptr) << dlerror();
    const std::string here = std::filesystem::current_path().string();
    setenv("SWITCHYARD_ENGINE_PATH", (here + "/collective/nccl").c_str(), 1);
  }
  void TearDown() override { stuck = captured = false; }
};

Tensor Ones(float value) {
  const Tensor host = Tensor::Empty({4}, DType::kFloat32);
  for (int i = 0; i < 4; ++i) host.data<float>()[i] = value;
  return FromHost(host, Gpu().At(0));
}
Tensor Sum(const Tensor& x) {
  return call("_c10d_functional::all_reduce", x, "sum", "world").take();
}
float Read(const Tensor& t) { return ToHost(t).data<float>()[3]; }

TEST_F(OnDevice, CallsReturnBeforeTheStreamIsDoneAndReadingWaits) {
  std::barrier meeting(2);
  RunRanks(2, [&](int rank) {
    EXPECT_EQ(Read(Sum(Ones(static_cast<float>(rank + 1)))), 3);
    meeting.arrive_and_wait();
    stuck = true;
    meeting.arrive_and_wait();
    const Tensor a = Sum(Ones(static_cast<float>(rank))), b = Sum(a);  // neither waits
    EXPECT_EQ(CallsOf(GroupOf("world")), 3U);
    meeting.arrive_and_wait();
    const auto begun = std::chrono::steady_clock::now();
    std::thread goes_on;
    if (rank == 0) {
      goes_on = std::thread([] {
        std::this_thread::sleep_for(milliseconds(100));
        stuck = false;
      });
    }
    EXPECT_EQ(Read(b), 2);
    if (rank != 0) return;
    EXPECT_GE(std::chrono::steady_clock::now() - begun, milliseconds(100));
    goes_on.join();
  });
}

TEST_F(OnDevice, ReadingSaysWhatHasFailed) {
  std::barrier meeting(2);
  RunRanks(2,
           [&](int) {
             Read(Sum(Ones(1)));
             meeting.arrive_and_wait();
             stuck = true;
             meeting.arrive_and_wait();
             const Tensor x = Sum(Ones(1));
             const auto expected = AllOf(
                 HasSubstr("_c10d_functional::all_reduce(): rank "),
                 HasSubstr(", group 'world', call 2, all_reduce of float32[4], sum: no answer "
                           "within 2000 ms"));
             EXPECT_THAT(MessageOf([&] { Read(x); }), expected);
             // So do another tensor of the device, and the next call.
             EXPECT_THAT(MessageOf([&] { Read(Ones(1)); }), expected);
             EXPECT_THAT(MessageOf([&] { Sum(x); }), HasSubstr("is of no use any more"));
             EXPECT_EQ(MessageOf([&] { ToHost(Tensor::Empty({1}, DType::kFloat32)); }),
                       "nothing was thrown");
           },
           {.timeout = milliseconds(2000)});
}

TEST_F(OnDevice, ACapturedCallIsPartOfTheGraph) {
  std::barrier meeting(2);
  RunRanks(2, [&](int rank) {
    captured = true;
    meeting.arrive_and_wait();
    EXPECT_THAT(MessageOf([] { Sum(Ones(1)); }), HasSubstr("have to meet once before"));
    meeting.arrive_and_wait();
    captured = false;
    meeting.arrive_and_wait();
    Read(Sum(Ones(1)));
    meeting.arrive_and_wait();
    captured = true;
    meeting.arrive_and_wait();
    const Tensor x = Sum(Ones(static_cast<float>(rank + 1)));
    meeting.arrive_and_wait();
    captured = false;
    meeting.arrive_and_wait();
    EXPECT_EQ(Read(x), 3);  // nobody is asked for what a graph does
  });
}

TEST_F(OnDevice, ThereAreNoCallsInAGraphWhereRanksCompareThem) {
  std::barrier meeting(2);
  RunRanks(2,
           [&](int) {
             Read(Sum(Ones(1)));
             meeting.arrive_and_wait();
             captured = true;
             EXPECT_THAT(MessageOf([] { Sum(Ones(1)); }), HasSubstr("compare their calls"));
             meeting.arrive_and_wait();
             captured = false;
           },
           {.check = true});
}

}  // namespace
}  // namespace sy::collective
