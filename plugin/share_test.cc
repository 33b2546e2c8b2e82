// Copies between the devices of two plugins: by memory that both reach where one shares and the
// other adopts it, over the host elsewhere.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::PluginPath;

class ShareTest : public ::testing::Test {
 protected:
  void SetUp() override {
    load_plugin(PluginPath("queued"));
    load_plugin(PluginPath("nth"));
  }
  // Either refuses to go while something that it gave was not given back.
  void TearDown() override {
    unsetenv("NTH");
    unsetenv("NTH_UNSUPPORTED");
    EXPECT_EQ(unload_plugin("nth").text, "unloaded");
    EXPECT_EQ(unload_plugin("queued").text, "unloaded");
  }
  static Device Queued() { return ParseDevice("queued"); }
  static Device Nth() { return ParseDevice("nth"); }
  static std::string Here(const Tensor& t) { return ToString(ToHost(t)); }
  static Tensor Copied(const Tensor& t, Device to) {
    Tensor out = Tensor::EmptyStrided(t.sizes(), t.strides(), t.dtype(), to);
    call("copy_", out, t);
    return out;
  }
  // What the driver of `queued` was asked for: copies from and to the host, blocks that it shared
  // and adopted.
  static std::vector<int64_t> Driver() {
    const Tensor counts = call("queued::counts", tensor({0.})).take();
    const auto* n = counts.data<int64_t>();
    return {n[1], n[2], n[6], n[7]};
  }
};

TEST_F(ShareTest, TheReceiverAdoptsWhatTheSenderShares) {
  const Tensor a = FromHost(tensor({1., 2.}), Nth());
  const Tensor b = Copied(a, Queued());
  EXPECT_THAT(Driver(), ElementsAre(0, 0, 0, 1));
  EXPECT_EQ(Here(b), "tensor([1., 2.])");
}

TEST_F(ShareTest, BothWaysAndFromTheMiddle) {
  const Tensor a = FromHost(tensor({1., 2., 3., 4.}), Queued());
  const Tensor b = Copied(call("slice", a, 0, 1, 3).tensor(), Nth());
  EXPECT_EQ(Here(b), "tensor([2., 3.])");
  call("copy_", call("slice", a, 0, 2, 4).tensor(), b);
  EXPECT_EQ(Here(a), "tensor([1., 2., 2., 3.])");
}

TEST_F(ShareTest, TheSenderAdoptsWhereTheReceiverShares) {
  setenv("NTH_UNSUPPORTED", "adopt", 1);
  const Tensor a = FromHost(tensor({1., 2.}), Queued());
  const auto before = Driver();
  const Tensor b = Copied(a, Nth());
  // Shared in vain by the sender, then adopted by it.
  EXPECT_THAT(Driver(), ElementsAre(before[0], before[1], before[2] + 1, before[3] + 1));
  EXPECT_EQ(Here(b), "tensor([1., 2.])");
}

TEST_F(ShareTest, OverTheHostWhereOneDoesNeither) {
  setenv("NTH_UNSUPPORTED", "adopt share", 1);
  const Tensor a = FromHost(tensor({1., 2.}), Nth());
  const Tensor b = Copied(a, Queued());
  EXPECT_EQ(Driver()[0], 1);
  EXPECT_EQ(Here(b), "tensor([1., 2.])");
}

TEST_F(ShareTest, OverTheHostToAPluginOfVersionOne) {
  load_plugin(PluginPath("opaque"));
  {
    const Tensor a = FromHost(tensor({1., 2.}), Queued());
    const Tensor b = Copied(a, ParseDevice("opaque"));
    EXPECT_EQ(Here(b), "tensor([1., 2.])");
    EXPECT_EQ(Here(Copied(b, Queued())), "tensor([1., 2.])");
    EXPECT_THAT(Driver(), ElementsAre(2, 2, 0, 0));
  }
  EXPECT_EQ(unload_plugin("opaque").text, "unloaded");
}

TEST_F(ShareTest, OverTheHostWhereTheCopyConverts) {
  const Tensor a = FromHost(tensor({1.5, 2.}), Nth());
  const Tensor b = Tensor::Empty({2, 2}, DType::kInt32, Queued());
  call("copy_", b, a);
  EXPECT_EQ(Here(b), "tensor([[1, 2],\n        [1, 2]], dtype=torch.int32)");
  EXPECT_EQ(Driver()[3], 0);
}

TEST_F(ShareTest, BetweenTwoDevicesOfOnePlugin) {
  const Tensor a = FromHost(tensor({1., 2.}), Queued());
  const Tensor b = Copied(a, ParseDevice("queued:1"));
  EXPECT_THAT(Driver(), ElementsAre(1, 0, 1, 1));
  EXPECT_EQ(Here(b), "tensor([1., 2.])");
}

TEST_F(ShareTest, WhatTheSenderHasQueuedIsDoneFirst) {
  const Tensor a = FromHost(tensor({1., 2.}), Queued());
  call("queued::hold", a);
  call("fill_", a, 7.);
  std::thread opener([] { call("queued::open", tensor({1.})); });
  EXPECT_EQ(Here(Copied(a, Nth())), "tensor([7., 7.])");
  opener.join();
}

TEST_F(ShareTest, AFailureIsAnErrorThatNamesTheDevice) {
  const Tensor a = FromHost(tensor({1., 2.}), Nth()), b = FromHost(tensor({3., 4.}), Queued());
  setenv("NTH", "share:1", 1);
  EXPECT_THAT(try_call("copy_", b, a).message, HasSubstr("nth:0: sharing memory: no luck"));
  setenv("NTH", "adopt:2", 1);
  EXPECT_THAT(try_call("copy_", a, b).message,
              HasSubstr("nth:0: adopting another device's memory: no luck"));
  EXPECT_EQ(Here(a), "tensor([1., 2.])");
  call("copy_", a, b);
  EXPECT_EQ(Here(a), "tensor([3., 4.])");
}

}  // namespace
}  // namespace sy
