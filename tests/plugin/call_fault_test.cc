// What a plugin's device and kernels do wrong while the program runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/testing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using testing::Fault;
using ::testing::HasSubstr;
using testing::PluginPath;

class CallFaultTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("SWITCHYARD_PLUGIN_CACHING", "0", 1);  // what the driver answers is looked at
    load_plugin(PluginPath("fault"));
  }
  void TearDown() override {
    EXPECT_EQ(unload_plugin("fault").text, "unloaded");
    unsetenv("SWITCHYARD_PLUGIN_CACHING");
  }
  static Device There() { return ParseDevice("fault"); }
  static Tensor Make() { return Tensor::Empty({100}, DType::kFloat32, There()); }
  static MemoryStats Stats() { return BackendOf(There().type).allocator()->Stats(0); }
};

TEST_F(CallFaultTest, ExceptionOfAKernelIsAnError) {
  const Tensor x = Make();
  const Fault fault("kernel throws");
  EXPECT_EQ(ErrorOf([&] { call("fill_", x, 1.); }),
            "internal: fill_.Scalar(): plugin 'fault': no such luck");
}

TEST_F(CallFaultTest, ThrownAnythingIsAnError) {
  const Tensor x = Make();
  const Fault fault("kernel throws anything");
  EXPECT_THAT(ErrorOf([&] { call("fill_", x, 1.); }), HasSubstr("an exception of unknown type"));
}

TEST_F(CallFaultTest, HostErrorsInsideAKernelPassThrough) {
  const Tensor x = Make();
  const Fault fault("kernel asks for an unknown operator");
  EXPECT_THAT(ErrorOf([&] { call("fill_", x, 1.); }),
              HasSubstr("no operator named 'no_such_operator'"));
}

TEST_F(CallFaultTest, DeclinedWithoutAnotherCandidateIsNotImplemented) {
  const Tensor x = Make();
  const Fault fault("kernel declines");
  EXPECT_THAT(ErrorOf([&] { call("fill_", x, 1.); }), HasSubstr("fill_.Scalar(): no kernel for"));
}

TEST_F(CallFaultTest, DeclinedGoesToTheHostWhenAllowedAndIsCounted) {
  const Tensor x = Tensor::Empty({2}, DType::kFloat32, There());
  const Fault fault("kernel declines");
  SetFallbackPolicy({.mode = FallbackMode::kAllow});
  call("fill_", x, 3.);
  SetFallbackPolicy({});
  EXPECT_EQ(ToString(ToHost(x)), "tensor([3., 3.])");
  EXPECT_EQ(loaded_plugins()[0].declined, 1);
}

TEST_F(CallFaultTest, KernelsOfAPluginGetArgumentsAsTheyWereGiven) {
  const Tensor x = Tensor::Empty({1, 1}, DType::kFloat32, There());
  EXPECT_EQ(ToString(ToHost(call("cumsum", x, -2).take())), "tensor([[-2.]])");
}

TEST_F(CallFaultTest, WhatADeclinedCallFallsBackOnGetsThemNormalised) {
  const Tensor x = FromHost(tensor({{1.f, 2.f}, {3.f, 4.f}}), There());
  const Fault fault("kernel declines");
  SetFallbackPolicy({.mode = FallbackMode::kAllow});
  const Tensor y = call("cumsum", x, -1).take();
  SetFallbackPolicy({});
  EXPECT_EQ(ToString(ToHost(y)), "tensor([[1., 3.],\n        [3., 7.]])");
}

TEST_F(CallFaultTest, NthAllocationFailsAndStatisticsAreBack) {
  const Fault fault("allocate fails");
  std::vector<Tensor> made;
  const std::string error = ErrorOf([&] {
    while (true) made.push_back(Make());
  });
  EXPECT_THAT(error, HasSubstr("fault: 400 bytes cannot be allocated"));
  EXPECT_EQ(Stats().allocated_bytes, static_cast<int64_t>(400 * made.size()));
  made.clear();
  EXPECT_EQ(Stats().allocated_bytes, 0);
}

TEST_F(CallFaultTest, TextWithoutEndIsCut) {
  const Tensor x = Make();
  const Fault fault("copy fails");
  EXPECT_THAT(ErrorOf([&] { ToHost(x); }), HasSubstr("fault:0: copy to the host: xxxx"));
}

TEST_F(CallFaultTest, FailureOfQueuedWorkStays) {
  const Tensor x = Make();
  {
    const Fault fault("synchronize fails");
    EXPECT_THAT(ErrorOf([&] { BackendOf(There().type).Synchronize(0); }), HasSubstr("yyyy"));
  }
  EXPECT_THAT(ErrorOf([&] { BackendOf(There().type).Synchronize(0); }), HasSubstr("yyyy"));
}

TEST_F(CallFaultTest, DeviceThatDoesNotOpen) {
  const Fault fault("open fails");
  EXPECT_THAT(ErrorOf([] { Make(); }), HasSubstr("fault:0: open: the driver is too old"));
}

TEST_F(CallFaultTest, NoDeviceSaysWhy) {
  const Fault fault("no device");
  EXPECT_THAT(ErrorOf([] { Make(); }), HasSubstr("nothing is plugged in"));
}

TEST_F(CallFaultTest, ShapeRuleFails) {
  const Fault fault("shape fails");
  EXPECT_EQ(ErrorOf([] { call("fault::twice", tensor({1.})); }),
            "invalid argument: fault::twice(): x is not to its taste");
}

TEST_F(CallFaultTest, ShapeRuleStatesNonsense) {
  const Fault fault("shape states nonsense");
  EXPECT_THAT(ErrorOf([] { call("fault::twice", tensor({1.})); }), HasSubstr("dtype number 77"));
}

TEST_F(CallFaultTest, ShapeRuleStatesANegativeSize) {
  const Fault fault("shape states a negative size");
  EXPECT_THAT(ErrorOf([] { call("fault::twice", tensor({1.})); }), HasSubstr("-3"));
}

TEST_F(CallFaultTest, ShapeRuleStatesTooManyElements) {
  const Fault fault("shape states too many elements");
  EXPECT_THAT(ErrorOf([] { call("fault::twice", tensor({1.})); }), HasSubstr("1099511627776"));
}

TEST_F(CallFaultTest, AllocationWithoutAnAddressIsAnError) {
  const Fault fault("no handle");
  EXPECT_THAT(ErrorOf([] { Make(); }), HasSubstr("says that it has 400 bytes, at address 0"));
}

// In place what was written stays, and the error says whose fault it is; other calls go on.
TEST_F(CallFaultTest, KernelThatFailsAfterWriting) {
  const Tensor x = Tensor::Empty({2}, DType::kFloat32, There());
  {
    const Fault fault("kernel fails after writing");
    EXPECT_EQ(ErrorOf([&] { call("fill_", x, 1.); }),
              "internal: fill_.Scalar(): plugin 'fault': too late");
  }
  call("fill_", x, 2.);
  EXPECT_EQ(ToString(ToHost(x)), "tensor([2., 2.])");
}

TEST_F(CallFaultTest, OutputThatIsNotGiven) {
  const Fault fault("output not given");
  EXPECT_THAT(ErrorOf([] { call("fault::positive", tensor({1.})); }),
              HasSubstr("has not given output 0"));
}

TEST_F(CallFaultTest, ShutdownThatIsBusyKeepsThePlugin) {
  {
    const Fault fault("shutdown is busy");
    const UnloadAnswer a = unload_plugin("fault");
    EXPECT_EQ(a.text, "busy: its shutdown says: a callback of the driver is pending");
  }
  const Tensor x = Tensor::Empty({2}, DType::kFloat32, There());
  call("fill_", x, 3.);
  EXPECT_EQ(ToString(ToHost(x)), "tensor([3., 3.])");
}

// What works, by the same plugin.

TEST_F(CallFaultTest, KernelCallsAnotherOperator) {
  EXPECT_EQ(ToString(call("fault::twice", tensor({1., 2.})).tensor()), "tensor([2., 4.])");
}

TEST_F(CallFaultTest, SizesMayDependOnData) {
  EXPECT_EQ(ToString(call("fault::positive", tensor({1., -2., 3.})).tensor()), "tensor([1., 3.])");
}

}  // namespace
}  // namespace sy
