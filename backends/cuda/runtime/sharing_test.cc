// Memory and streams that the device shares with others: DLPack, tensors of the program's memory,
// streams of the program's.

#include "backends/cuda/memory.h"
#include "backends/cuda/runtime/device_state.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/dlpack.h"
#include "switchyard/core/error.h"
#include "switchyard/core/testing.h"
#include "third_party/dlpack/dlpack_v1.h"

namespace sy::cuda {
namespace {

// Memory of device 0 that the program has allocated.
class Mine {
 public:
  explicit Mine(size_t bytes) {
    const InUse on = DeviceState::Of(0).Use();
    Check(Driver().MemAlloc(&p_, bytes), "memory");
  }
  ~Mine() {
    const InUse on = DeviceState::Of(0).Use();
    Driver().MemFree(p_);
  }
  void* get() const { return reinterpret_cast<void*>(p_); }

 private:
  CUdeviceptr p_ = 0;
};

CUstream NewNative() {
  const InUse on = DeviceState::Of(0).Use();
  CUstream stream = nullptr;
  Check(Driver().StreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0), "making a stream");
  return stream;
}

// Whether work is still queued. Looking lets the emulator do a piece of it.
bool IsBusy() { return !CurrentStream(Cuda()).Query(); }

TEST(SharingTest, ATensorOfTheProgramsMemoryIsItsMemory) {
  const Mine mine(24);
  const Tensor t = FromBlob(mine.get(), {{2, 3}}, DType::kFloat32, 0);
  EXPECT_EQ(t.data(), mine.get());
  EXPECT_EQ(t.device(), Cuda());
  call("fill_", t, Scalar(2));
  const Tensor turned = FromBlob(mine.get(), {{3, 2}}, {{1, 3}}, DType::kFloat32, 0);
  call("add_", call("select.int", turned, 0, 1).take(), Scalar(1));
  ExpectClose(call("sum", t).take(), tensor(14.f), 0);
  EXPECT_THROW(call("resize_", t, std::vector<int64_t>{100}), Error);
}

TEST(SharingTest, ABlobIsGivenBackOnceWhatWasQueuedOnItIsDone) {
  const Mine mine(4000);
  int freed = 0;
  const Tensor out = ToCuda(call("zeros", std::vector<int64_t>{1000}).take());
  {
    const Tensor t = FromBlob(mine.get(), {{1000}}, DType::kFloat32, 0, [&freed] { ++freed; });
    call("fill_", t, Scalar(3));
    call("copy_", out, t);
  }
  if (!has_device) {
    EXPECT_EQ(freed, 0) << "kernels that read it have not run yet";
  }
  Synchronize(Cuda());
  EXPECT_EQ(freed, 1);
  ExpectClose(out, call("full", std::vector<int64_t>{1000}, Scalar(3.0)).take(), 0);
}

TEST(SharingTest, ABlobWaitsForEveryStreamItWasRecordedFor) {
  const Mine mine(4000);
  int freed = 0;
  const Stream side = Stream::New(Cuda());
  {
    const Tensor t = FromBlob(mine.get(), {{1000}}, DType::kFloat32, 0, [&freed] { ++freed; });
    RecordStream(t, side);
    const StreamGuard guard(side);
    call("fill_", t, Scalar(3));
  }
  CurrentStream(Cuda()).Synchronize();
  Tensor::Empty({1}, DType::kFloat32, Cuda());  // looks what is due
  if (!has_device) {
    EXPECT_EQ(freed, 0) << "the other stream has not run yet";
  }
  side.Synchronize();
  Tensor::Empty({1}, DType::kFloat32, Cuda());
  EXPECT_EQ(freed, 1);
}

TEST(SharingTest, WhatIsNoMemoryOfTheDeviceIsNoBlob) {
  const Mine mine(16);
  alignas(8) static char host[16];
  bool freed = false;
  const auto blob = [&](void* data, std::vector<int64_t> sizes, std::vector<int64_t> strides) {
    return ErrorOf(
        [&] { FromBlob(data, sizes, strides, DType::kFloat32, 0, [&freed] { freed = true; }); });
  };
  EXPECT_EQ(blob(host, {4}, {1}),
            "invalid argument: cuda::FromBlob(): data is no memory of a cuda device: expected some "
            "of cuda:0");
  EXPECT_EQ(blob(static_cast<char*>(mine.get()) + 2, {1}, {1}),
            "invalid argument: cuda::FromBlob(): data is no multiple of 4, the bytes of an element "
            "of float32");
  EXPECT_EQ(blob(mine.get(), {2, 2}, {1}),
            "invalid argument: cuda::FromBlob(): strides [1] for sizes [2, 2]: expected as many");
  EXPECT_EQ(
      blob(mine.get(), {2}, {-1}),
      "invalid argument: cuda::FromBlob(): sizes [2] and strides [-1]: expected none below 0");
  if (!has_device) {
    EXPECT_EQ(blob(mine.get(), {2, 2}, {2, 3}),
              "invalid argument: cuda::FromBlob(): data has 16 bytes: expected 24 for these sizes "
              "and strides");
  }
  EXPECT_FALSE(freed);
  EXPECT_EQ(FromBlob(nullptr, {{0, 3}}, DType::kFloat32, 0).numel(), 0);
}

TEST(SharingTest, ADlpackImportIsGivenBackOnceQueuedWorkIsDone) {
  const Mine mine(4000);
  int freed = 0;
  int64_t size = 1000, stride = 1;
  DLManagedTensorVersioned theirs{};
  theirs.version = {1, 0};
  theirs.manager_ctx = &freed;
  theirs.deleter = [](DLManagedTensorVersioned* self) { ++*static_cast<int*>(self->manager_ctx); };
  theirs.dl_tensor = {.data = mine.get(),
                      .device = {kDLCUDA, 0},
                      .ndim = 1,
                      .dtype = {kDLFloat, 32, 1},
                      .shape = &size,
                      .strides = &stride,
                      .byte_offset = 0};
  const Tensor out = ToCuda(call("zeros", std::vector<int64_t>{1000}).take());
  {
    const Tensor t = FromDlpack(&theirs);
    call("fill_", t, Scalar(5));
    call("copy_", out, t);
  }
  if (!has_device) {
    EXPECT_EQ(freed, 0) << "kernels that read it have not run yet";
  }
  Synchronize(Cuda());
  EXPECT_EQ(freed, 1);
  ExpectClose(out, call("full", std::vector<int64_t>{1000}, Scalar(5.0)).take(), 0);
}

TEST(SharingTest, AnExportForAnotherStreamDoesNotWaitForIt) {
  const CUstream native = NewNative();
  const Tensor x = ToCuda(call("ones", std::vector<int64_t>{1000}).take());
  call("add_", x, Scalar(1));
  DLManagedTensorVersioned* theirs = ToDlpack(x, Stream::FromNative(Cuda(), native));
  if (!has_device) {
    EXPECT_TRUE(IsBusy()) << "nobody has waited";
  }
  theirs->deleter(theirs);
}

TEST(SharingTest, AStreamThatHasGoneIsNeverAskedAgain) {
  if (has_device) GTEST_SKIP() << "only the emulator tells who uses a stream that was destroyed";
  const CUstream native = NewNative();
  const Tensor out = ToCuda(call("zeros", std::vector<int64_t>{1000}).take());
  {
    const Tensor x = ToCuda(call("ones", std::vector<int64_t>{1000}).take());
    const Stream theirs = Stream::FromNative(Cuda(), native);
    theirs.WaitStream(CurrentStream(Cuda()));
    const StreamGuard guard(theirs);
    call("copy_", out, x);
    RecordStream(x, theirs);
    RecordStream(out, theirs);
  }
  DestroyEmulatedStream(native);
  // x's memory waits for the event that the stream left, not for the stream.
  const Tensor next = ToCuda(call("full", std::vector<int64_t>{1000}, Scalar(7.0)).take());
  Synchronize(Cuda());
  EmptyCache(Cuda().type);
  ExpectClose(out, call("ones", std::vector<int64_t>{1000}).take(), 0);
  ExpectClose(next, call("full", std::vector<int64_t>{1000}, Scalar(7.0)).take(), 0);
}

TEST(SharingTest, AWrappedStreamThatIsCapturedIsLetGoWithoutHarm) {
  const CUstream native = NewNative();
  const Tensor x = ToCuda(tensor({1., 2.}));
  const InUse on = DeviceState::Of(0).Use();
  Check(Driver().StreamBeginCapture(native, CU_STREAM_CAPTURE_MODE_GLOBAL), "capturing");
  {
    const StreamGuard guard(Stream::FromNative(Cuda(), native));
    call("add_", x, Scalar(1));
  }
  CUgraph graph = nullptr;
  EXPECT_EQ(Driver().StreamEndCapture(native, &graph), CUDA_SUCCESS);
  Driver().GraphDestroy(graph);
}

}  // namespace
}  // namespace sy::cuda
