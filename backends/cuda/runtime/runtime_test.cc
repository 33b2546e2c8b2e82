// The device as programs drive it: streams, events, memory.

#include "backends/cuda/memory.h"
#include "backends/cuda/properties.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"

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
