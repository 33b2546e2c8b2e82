// The device as programs drive it: streams, events, memory.

#include <chrono>
#include <map>

#include "backends/cuda/memory.h"
#include "backends/cuda/properties.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/dispatcher/profiler.h"

namespace sy::cuda {
namespace {

TEST(RuntimeTest, PropertiesSayWhatItIs) {
  const Properties& p = GetProperties(0);
  EXPECT_FALSE(p.name.empty());
  EXPECT_GE(p.major, 5);
  EXPECT_GT(p.total_bytes, size_t{1} << 30);
}

TEST(RuntimeTest, CopiesThereAndBackKeepEveryByte) {
  const Tensor t = call("arange", 1000).take();
  ExpectClose(ToCuda(t), t, 0);
}

TEST(RuntimeTest, ATensorOnAnotherStreamWaitsByEvents) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  const Stream side = Stream::New(Cuda(), -1);
  Tensor y;
  {
    const StreamGuard guard(side);
    side.WaitStream(DefaultStream(Cuda()));
    y = call("add", x, x).take();
  }
  DefaultStream(Cuda()).WaitStream(side);
  ExpectClose(call("add", y, x).take(), tensor({3., 6.}), 0);
}

TEST(RuntimeTest, PinnedMemoryIsCopiedWithoutWaiting) {
  const Tensor from = PinnedCopy(tensor({1., 2.}), Cuda());
  const Tensor to = PinnedCopy(tensor({0., 0.}), Cuda());
  EXPECT_TRUE(IsPinned(from));
  const Tensor x = ToCuda(tensor({0., 0.}));
  call("copy_", x, from, true);
  call("copy_", to, call("add", x, x).take(), true);
  CurrentStream(Cuda()).Synchronize();
  ExpectClose(to, tensor({2., 4.}), 0);
}

TEST(RuntimeTest, PageableMemoryIsDoneWithWhenACopyReturns) {
  const Tensor from = tensor({1., 2.}), to = tensor({0., 0.}), x = ToCuda(tensor({0., 0.}));
  call("copy_", x, from, true);
  call("fill_", from, Scalar(-1));
  call("copy_", to, call("add", x, x).take(), true);
  EXPECT_EQ(to.data<float>()[1], 4);
}

TEST(RuntimeTest, PinnedMemoryIsNotReusedBeforeItsCopyIsDone) {
  const Tensor x = ToCuda(call("zeros", std::vector<int64_t>{1000}).take());
  const Tensor ones = call("ones", std::vector<int64_t>{1000}).take();
  call("copy_", x, PinnedCopy(ones, Cuda()), true);  // which nobody holds any longer
  const Tensor other = PinnedCopy(call("neg", ones).take(), Cuda());
  ExpectClose(x, ones, 0);
}

TEST(RuntimeTest, MemoryUsedOnAnotherStreamIsNotReusedBeforeThatIsDone) {
  const Tensor out = ToCuda(call("zeros", std::vector<int64_t>{1000}).take());
  const Stream side = Stream::New(Cuda());
  {
    const Tensor x = ToCuda(call("ones", std::vector<int64_t>{1000}).take());
    side.WaitStream(CurrentStream(Cuda()));
    const StreamGuard guard(side);
    call("copy_", out, x);
    RecordStream(x, side);
  }
  const Tensor next = ToCuda(call("full", std::vector<int64_t>{1000}, Scalar(7.0)).take());
  CurrentStream(Cuda()).WaitStream(side);
  ExpectClose(out, call("ones", std::vector<int64_t>{1000}).take(), 0);
}

TEST(RuntimeTest, TimedEventsMeasure) {
  Event begin(true), end(true);
  begin.Record(CurrentStream(Cuda()));
  call("add", ToCuda(tensor({1., 2.})), Scalar(1));
  end.Record(CurrentStream(Cuda()));
  end.Synchronize();
  EXPECT_GE(begin.ElapsedTime(end), 0);
}

TEST(RuntimeTest, StreamsThatAreLetGoServeAgain) {
  void* native = nullptr;
  {
    const Stream s = Stream::New(Cuda());
    native = s.native_handle();
  }
  EXPECT_EQ(Stream::New(Cuda()).native_handle(), native);
}

TEST(RuntimeTest, StreamsKeepTheirPriority) {
  const Stream urgent = Stream::New(Cuda(), -1), usual = Stream::New(Cuda());
  EXPECT_EQ(urgent.priority(), -1);
  EXPECT_EQ(usual.priority(), 0);
  EXPECT_NE(urgent.native_handle(), usual.native_handle());
}

TEST(RuntimeTest, MemoryIsCountedAndLimited) {
  EmptyCache(Cuda().type);
  const MemoryStats before = GetMemoryStats(Cuda());
  const Tensor t = Tensor::Empty({1 << 20}, DType::kFloat32, Cuda());
  EXPECT_EQ(GetMemoryStats(Cuda()).allocated_bytes - before.allocated_bytes, 4 << 20);
  SetMemoryLimit(0, size_t{64} << 20);
  try {
    Tensor::Empty({1 << 28}, DType::kFloat32, Cuda());
    FAIL() << "1 GiB with a limit of 64 MiB";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory);
    EXPECT_NE(e.message().find("cuda:0 is out of memory: asked for 1073741824 bytes"),
              std::string::npos)
        << e.message();
  }
  SetMemoryLimit(0, 0);
}

TEST(RuntimeTest, WorkIsTimedByTheDevice) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  DeviceBackend& backend = BackendOf(Cuda().type);
  const auto now = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  const int64_t before = now();
  ASSERT_TRUE(backend.StartTiming(0));
  call("exp", x);
  const Stream side = Stream::New(Cuda());
  {
    const StreamGuard guard(side);
    call("add", x, x);
  }
  const auto timed = backend.StopTiming(0);
  const int64_t after = now();
  ASSERT_EQ(timed.size(), 2u);
  EXPECT_EQ(timed[0].name, "exp");
  EXPECT_EQ(timed[1].name, "add.Tensor");
  EXPECT_NE(timed[0].stream, timed[1].stream);
  constexpr int64_t kClocks = 1'000'000;  // apart by less than a millisecond
  for (const auto& t : timed) {
    EXPECT_GE(t.begin_ns, before - kClocks);
    EXPECT_GE(t.end_ns, t.begin_ns);
    EXPECT_LE(t.end_ns, after + kClocks);
  }
  call("exp", x);
  EXPECT_TRUE(backend.StopTiming(0).empty());
}

TEST(RuntimeTest, WhatLibrariesDoIsTimedAndTheirMemoryIsTheOperators) {
  const Tensor x = ToCuda(Spread({8}, DType::kComplex64));
  DeviceBackend& backend = BackendOf(Cuda().type);
  ASSERT_TRUE(backend.StartTiming(0));
  RecordMemoryHistory(0);
  call("_fft_c2c", x, std::vector<int64_t>{0}, 0, true);
  const std::vector<MemoryEvent> events = MemoryHistory(0);
  RecordMemoryHistory(0, 0);
  const auto timed = backend.StopTiming(0);
  ASSERT_EQ(timed.size(), 1u);
  EXPECT_EQ(timed[0].name, "_fft_c2c");
  size_t allocated = 0;
  for (const MemoryEvent& e : events) {
    if (e.kind != MemoryEvent::kAllocated) continue;
    EXPECT_EQ(e.owner, "_fft_c2c");
    ++allocated;
  }
  EXPECT_NE(allocated, 0u);
}

TEST(RuntimeTest, TheProfilerShowsTheDevicesTimes) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  Profiler profiler;
  {
    const Profiler::DeviceScope device(profiler, Cuda());
    const Profiler::Scope host(profiler);
    call("exp", x);
  }
  const auto timed = profiler.DeviceEvents();
  ASSERT_EQ(timed.size(), 1u);
  EXPECT_EQ(timed[0].name, "exp");
  EXPECT_EQ(timed[0].device, Cuda());
  EXPECT_GE(timed[0].end_ns, timed[0].begin_ns);
  EXPECT_NE(profiler.ChromeTrace().find("\"pid\": \"cuda:0\""), std::string::npos);
  EXPECT_NE(profiler.Table().find("exp"), std::string::npos);
}

TEST(RuntimeTest, TheHistoryOfMemorySaysWhoHadWhat) {
  EmptyCache(Cuda().type);
  const Tensor x = ToCuda(call("ones", std::vector<int64_t>{1 << 20}).take());
  RecordMemoryHistory(0);
  {
    const MemoryOwner step("step");
    const MemoryOwner encoder("encoder");
    const Tensor y = call("exp", x).take();
  }
  const Tensor z = call("neg", x).take();
  const std::vector<MemoryEvent> events = MemoryHistory(0);
  RecordMemoryHistory(0, 0);
  call("neg", x);
  EXPECT_TRUE(MemoryHistory(0).empty());
  std::vector<std::string> owners;
  int64_t held = 0;
  for (const MemoryEvent& e : events) {
    if (e.kind == MemoryEvent::kAllocated) owners.push_back(e.owner);
    if (e.kind == MemoryEvent::kAllocated) held += static_cast<int64_t>(e.bytes);
    if (e.kind == MemoryEvent::kFreed) held -= static_cast<int64_t>(e.bytes);
  }
  EXPECT_EQ(owners, (std::vector<std::string>{"step/encoder/exp", "neg"}));
  EXPECT_EQ(held, 4 << 20);
}

TEST(RuntimeTest, ThePageOfMemoryShowsOwnersAndWhereMostWasHeld) {
  const Tensor x = ToCuda(call("ones", std::vector<int64_t>{1 << 18}).take());
  RecordMemoryHistory(0, 1000);
  {
    const MemoryOwner owner("weights & <biases>");
    const Tensor y = call("exp", x).take();
  }
  const std::string page = MemoryHistoryPage(0);
  RecordMemoryHistory(0, 0);
  for (const char* text :
       {"<svg ", "weights &amp; &lt;biases&gt;/exp", "1.0 MiB", "Memory of cuda:0"})
    EXPECT_NE(page.find(text), std::string::npos) << text << " in\n" << page;
  EXPECT_NE(MemoryHistoryPage(0).find("Nothing was recorded."), std::string::npos);
}

TEST(RuntimeTest, ItsAttributesSayWhereLibrariesAreOrWhyNot) {
  std::map<std::string, std::string> all;
  for (const auto& [key, value] : DeviceAttributes(Cuda())) all[key] = value;
  EXPECT_EQ(all["multiprocessors"], std::to_string(GetProperties(0).multiprocessors));
  for (const char* library : {"NVRTC", "cuBLASLt", "cuBLAS", "cuSOLVER", "cuFFT"}) {
    const std::string& where = all[library];
    EXPECT_TRUE(where.starts_with("/") || where.starts_with("not found: ")) << library << where;
  }
}

TEST(RuntimeTest, TheGeneratorIsSeededSavedAndRestored) {
  const Tensor x = ToCuda(tensor({0., 0., 0.}));
  manual_seed(5);
  const Tensor a = ToHost(call("uniform_", x).take());
  const Tensor state = get_rng_state(Cuda());
  const Tensor b = ToHost(call("uniform_", x).take());
  set_rng_state(state, Cuda());
  ExpectClose(call("uniform_", x).take(), b, 0);
  manual_seed(5);
  ExpectClose(call("uniform_", x).take(), a, 0);
}

}  // namespace
}  // namespace sy::cuda
