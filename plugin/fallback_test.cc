// Calls that the host serves for a plugin's device: on the device's own bytes where the host may
// touch them, else on copies.

#include "switchyard/dispatcher/fallback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using testing::PluginPath;

// The parameter: a plugin and its device.
class HostFallbackTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    load_plugin(PluginPath(GetParam()));
    SetFallbackPolicy({FallbackMode::kAllow});
    ResetFallbackCounts();
  }
  void TearDown() override {
    SetFallbackPolicy({FallbackMode::kForbid});
    EXPECT_EQ(unload_plugin(GetParam()).text, "unloaded");
  }
  static Device There() { return ParseDevice(GetParam()); }
  static std::string Here(const Tensor& t) { return ToString(ToHost(t)); }
  static int64_t BytesCopied() {
    int64_t bytes = 0;
    for (const FallbackCount& c : FallbackCounts()) bytes += c.bytes;
    return bytes;
  }
  static void ExpectCopies(bool some = true) {
    const bool visible = std::string_view(GetParam()) != "queued";
    EXPECT_EQ(BytesCopied() != 0, some && !visible);
  }
};

TEST_P(HostFallbackTest, FunctionalInPlaceAndOut) {
  const Tensor x = FromHost(tensor({1., -2.}), There());
  EXPECT_EQ(Here(call("neg", x).take()), "tensor([-1.,  2.])");
  call("neg_", x);
  EXPECT_EQ(Here(x), "tensor([-1.,  2.])");
  const Tensor out = Tensor::Empty({2}, DType::kFloat32, There());
  call("neg.out", x, kw("out", out));
  EXPECT_EQ(Here(out), "tensor([ 1., -2.])");
  ExpectCopies();
}

TEST_P(HostFallbackTest, ViewsWithAnOffsetAndStrides) {
  const Tensor x = FromHost(tensor({1., 2., 3., 4., 5., 6.}), There());
  const Tensor odd = x.AsStrided({3}, {2}, 1);
  EXPECT_EQ(Here(call("neg", odd).take()), "tensor([-2., -4., -6.])");
  call("neg_", odd);
  EXPECT_EQ(Here(x), "tensor([ 1., -2.,  3., -4.,  5., -6.])");
  ExpectCopies();
}

TEST_P(HostFallbackTest, TwoViewsOfOneStorage) {
  const Tensor x = FromHost(tensor({1., 2., 3., 4.}), There());
  const Tensor low = x.AsStrided({2}, {1}, 0), high = x.AsStrided({2}, {1}, 2);
  call("mul_", low, high);
  EXPECT_EQ(Here(x), "tensor([3., 8., 3., 4.])");
  EXPECT_THROW(call("mul_", low, x.AsStrided({2}, {1}, 1)), Error);  // they overlap
  ExpectCopies();
}

TEST_P(HostFallbackTest, EmptyTensors) {
  const Tensor x = Tensor::Empty({0, 3}, DType::kFloat32, There());
  EXPECT_EQ(call("neg", x).tensor().numel(), 0);
  ExpectCopies(false);
}

INSTANTIATE_TEST_SUITE_P(Devices, HostFallbackTest,
                         ::testing::Values("fault", "asks", "queued"),  // visible but for the last
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace sy
