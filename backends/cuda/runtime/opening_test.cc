// Which devices are opened by what, and what becomes of the program's current one. A program of its
// own: others have opened them.

#include "backends/cuda/memory.h"
#include "backends/cuda/runtime/device_state.h"
#include "backends/cuda/testing.h"

namespace sy::cuda {
namespace {

TEST(OpeningTest, AskingAndGivingBackOpenNoDevice) {
  const Device all[] = {ParseDevice("cuda:0"), ParseDevice("cuda:1")};
  const int count = DeviceCount(Cuda().type);
  for (int i = 0; i < std::min(count, 2); ++i) {
    EXPECT_EQ(GetMemoryStats(all[i]).reserved_bytes, 0);
    ResetPeakMemoryStats(all[i]);
    EXPECT_TRUE(MemorySnapshot(i).empty());
  }
  EmptyCache(Cuda().type);
  for (int i = 0; i < std::min(count, 2); ++i) EXPECT_EQ(DeviceState::Opened(i), nullptr) << i;
  const Tensor x = ToCuda(tensor({1.}));
  EmptyCache(Cuda().type);
  EXPECT_NE(DeviceState::Opened(0), nullptr);
  EXPECT_EQ(DeviceState::Opened(1), nullptr);
}

TEST(OpeningTest, TheProgramsCurrentDeviceStaysWhatItWas) {
  if (DeviceCount(Cuda().type) < 2) GTEST_SKIP() << "there is one device here";
  const CUcontext theirs = DeviceState::Of(1).context();
  ASSERT_EQ(Driver().CtxSetCurrent(theirs), CUDA_SUCCESS);
  const auto current = [] {
    CUcontext context = nullptr;
    Driver().CtxGetCurrent(&context);
    return context;
  };
  const Tensor x = ToCuda(tensor({1., 2.}));
  EXPECT_EQ(current(), theirs);
  call("add_", x, Scalar(1));
  EXPECT_EQ(current(), theirs);
  ExpectClose(x, tensor({2., 3.}), 0);
  EXPECT_EQ(current(), theirs);
  EmptyCache(Cuda().type);
  Synchronize(Cuda());
  EXPECT_EQ(current(), theirs);
}

}  // namespace
}  // namespace sy::cuda
