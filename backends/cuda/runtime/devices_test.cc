// Several devices in one program, and a device that fails. Needs two: on a machine with one the
// tests are skipped.

#include <cstdlib>

#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/testing.h"

namespace sy::cuda {
namespace {

class DevicesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (DeviceCount(Cuda().type) < 2) GTEST_SKIP() << "there is one device here";
  }
  static Device At(int index) { return ParseDevice("cuda:" + std::to_string(index)); }
};

TEST_F(DevicesTest, CallsRunWhereTheirTensorsAre) {
  const Tensor here = FromHost(tensor({1., 2.}), At(0)), there = FromHost(tensor({5., 6.}), At(1));
  const Tensor a = call("add", here, here).take(), b = call("add", there, there).take();
  EXPECT_EQ(a.device(), At(0));
  EXPECT_EQ(b.device(), At(1));
  ExpectClose(a, tensor({2., 4.}), 0);
  ExpectClose(b, tensor({10., 12.}), 0);
}

TEST_F(DevicesTest, TensorsOfTwoDevicesDoNotMeet) {
  const Tensor here = FromHost(tensor({1., 2.}), At(0)), there = FromHost(tensor({5., 6.}), At(1));
  EXPECT_THROW(call("add", here, there), Error);
}

TEST_F(DevicesTest, TheCurrentDeviceIsTheThreads) {
  const DeviceGuard guard(At(1));
  EXPECT_EQ(Tensor::Empty({2}, DType::kFloat32, ParseDevice("cuda")).device(), At(1));
}

TEST_F(DevicesTest, CopiesFromOneToTheOther) {
  const Tensor host = call("arange", 60).take(), here = FromHost(host, At(0));
  const Tensor there = call("to.device", here, At(1), DType::kInt64).take();
  EXPECT_EQ(there.device(), At(1));
  ExpectClose(there, host, 0);
}

TEST_F(DevicesTest, ACopyFollowsTheStreamsOfBoth) {
  const Tensor from = FromHost(tensor({1., 2.}), At(0)), to = FromHost(tensor({0., 0.}), At(1));
  const StreamGuard here(Stream::New(At(0)));
  const StreamGuard there(Stream::New(At(1)));
  call("add_", from, Scalar(1));
  call("copy_", to, from, true);
  call("add_", from, Scalar(100));
  call("add_", to, Scalar(10));
  ExpectClose(to, tensor({12., 13.}), 0);
  ExpectClose(from, tensor({102., 103.}), 0);
}

TEST_F(DevicesTest, CopiesConvertAndTurnOnTheWay) {
  const Tensor host =
      call("reshape", call("arange", 60).take(), std::vector<int64_t>{6, 10}).take();
  const Tensor from = call("transpose.int", FromHost(host, At(0)), 0, 1).take();
  const Tensor to = Tensor::Empty({10, 6}, DType::kFloat32, At(1));
  call("copy_", to, from);
  const Tensor expected = call("transpose.int", host, 0, 1).take();
  ExpectClose(to, call("to.dtype", expected, DType::kFloat32).take(), 0);
  const Tensor apart = Tensor::Empty({6, 20}, DType::kFloat64, At(1));
  call("fill_", apart, Scalar(-1));
  const Tensor every_second = call("slice", apart, 1, 0, 20, 2).take();
  call("copy_", every_second, FromHost(host, At(0)));
  ExpectClose(every_second, call("to.dtype", host, DType::kFloat64).take(), 0);
  ExpectClose(
      call("slice", apart, 1, 1, 20, 2).take(),
      call("full", std::vector<int64_t>{6, 10}, Scalar(-1.0), kw("dtype", DType::kFloat64)).take(),
      0);
}

TEST_F(DevicesTest, EventsOrderStreamsOfBoth) {
  const Stream here = Stream::New(At(0)), there = Stream::New(At(1));
  there.WaitStream(here);
  here.WaitEvent(there.RecordEvent());
  here.Synchronize();
  Event event;
  event.Record(here);
  EXPECT_THROW(event.Record(there), Error);
}

TEST_F(DevicesTest, MemoryIsCountedApart) {
  const MemoryStats before = GetMemoryStats(At(0));
  const Tensor t = Tensor::Empty({1 << 20}, DType::kFloat32, At(1));
  EXPECT_EQ(GetMemoryStats(At(0)).allocated_bytes, before.allocated_bytes);
  EXPECT_GE(GetMemoryStats(At(1)).allocated_bytes, 4 << 20);
}

TEST_F(DevicesTest, RandomNumbersAreEachDevicesOwn) {
  const auto draw = [](int index) {
    return ToHost(call("uniform_", Tensor::Empty({5}, DType::kFloat32, At(index))).take());
  };
  manual_seed(4);
  const Tensor first = draw(0), second = draw(0);
  ExpectClose(draw(1), first, 0);
  EXPECT_NE(*first.data<float>(), *second.data<float>());
}

// In a program of its own: peer access is asked for once.
TEST(DevicesDeathTest, PeerAccessIsAskedForOnceADirectionAndCopiesGoWithoutItToo) {
  if (has_device) GTEST_SKIP() << "only the emulator tells who asks";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  static int can, asked;
  const auto copy_to_and_fro = [](int can_access) {
    can = can_access;
    static DriverTable driver = EmulatedDriver();
    driver.DeviceCanAccessPeer = [](int* answer, CUdevice, CUdevice) {
      *answer = can;
      return CUDA_SUCCESS;
    };
    driver.CtxEnablePeerAccess = [](CUcontext context, unsigned flags) {
      ++asked;
      return EmulatedDriver().CtxEnablePeerAccess(context, flags);
    };
    UseDriver(driver);
    const Tensor host = tensor({1., 2., 3.});
    const Device first = ParseDevice("cuda:0"), second = ParseDevice("cuda:1");
    for (int i = 0; i < 3; ++i) {
      const Tensor there = call("to.device", FromHost(host, first), second, DType::kFloat64).take();
      const Tensor back = call("to.device", there, first, DType::kFloat64).take();
      if (!call("equal", ToHost(back), call("to.dtype", host, DType::kFloat64).take())
               .scalar()
               .To<bool>())
        std::exit(99);
    }
    std::exit(asked);
  };
  EXPECT_EXIT(copy_to_and_fro(1), testing::ExitedWithCode(2), "");
  EXPECT_EXIT(copy_to_and_fro(0), testing::ExitedWithCode(0), "");
}

// Last: the device that has failed stays so.
TEST_F(DevicesTest, WhatFailsLaterNamesWhatWasLaunched) {
  if (has_device) GTEST_SKIP() << "a device that has failed cannot be had back";
  const Tensor x = FromHost(tensor({1., 2.}), At(1));
  Tensor shared = call("neg", x).take();
  RecordStream(shared, Stream::New(At(1)));
  CurrentStream(At(1)).Synchronize();
  call("add", x, x);
  call("exp", x);
  EmulateFailure(1, CUDA_ERROR_ILLEGAL_ADDRESS);
  const std::string expected =
      "unavailable: device 'cuda:1': work queued has failed: CUDA_ERROR_ILLEGAL_ADDRESS: said by "
      "the emulator; "
      "since it was last waited for, the stream was given add.Tensor, exp "
      "(SWITCHYARD_CUDA_BLOCKING=1 finds the one)";
  const auto stumble = [&] { CurrentStream(At(1)).Synchronize(); };
  EXPECT_EQ(ErrorOf(stumble), expected);
  EXPECT_EQ(ErrorOf(stumble), expected) << "it stays";
  EXPECT_EQ(ErrorOf([&] { call("exp", x); }), expected);
  EXPECT_EQ(ErrorOf([&] { ToHost(x); }), expected);
  EXPECT_EQ(ErrorOf([] { Synchronize(At(1)); }), expected);
  shared = Tensor();  // what waits for the device waits no longer
  EXPECT_EQ(ErrorOf([] { Tensor::Empty({1 << 28}, DType::kFloat32, At(1)); }), expected);
  ExpectClose(call("add", ToCuda(tensor({1.})), Scalar(1)).take(), tensor({2.}), 0);
}

}  // namespace
}  // namespace sy::cuda
