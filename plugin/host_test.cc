// What kernels of plugins may ask the host for: workspace, random numbers, threads, late errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/c/plugin.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::PluginPath;

class HostTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("SWITCHYARD_PLUGIN_CACHING", "0", 1);  // what the driver is asked for is counted
    load_plugin(PluginPath("asks"));
  }
  void TearDown() override {
    EXPECT_EQ(unload_plugin("asks").text, "unloaded");
    unsetenv("SWITCHYARD_PLUGIN_CACHING");
  }
  static Device There() { return ParseDevice("asks"); }
  static Tensor OnDevice() { return Tensor::Empty({1}, DType::kUInt8, There()); }
  // The three numbers that an operator of the plugin answers.
  template <class... A>
  static std::vector<int64_t> Ask(const char* op, const A&... a) {
    const Tensor answer = ToHost(call(op, a...).tensor());
    return {answer.data<int64_t>(), answer.data<int64_t>() + 3};
  }
};

TEST_F(HostTest, WorkspaceOnTheHostIsAlignedAsAsked) {
  for (const int64_t alignment : {1, 64, 4096}) {
    const std::vector<int64_t> answer = Ask("asks::workspace", tensor({1.}), 1000, alignment);
    EXPECT_EQ(answer[0], 1000);
    EXPECT_EQ(answer[1], 0);
  }
}

TEST_F(HostTest, WorkspaceOnADeviceIsItsMemoryAndFreedAfterTheCall) {
  const Tensor x = OnDevice();
  // x, the answer and the workspace are alive inside the call.
  EXPECT_THAT(Ask("asks::workspace", x, 100, 128), ElementsAre(100, 0, 3));
  EXPECT_EQ(Ask("asks::state", x)[0], 2);
}

TEST_F(HostTest, WorkspaceOfNoSizeThatThereIsIsAnError) {
  for (const auto& [bytes, alignment] : {std::pair(8, 0), {8, 3}, {8, -1}, {-1, 64}}) {
    for (const Tensor& x : {tensor({1.}), OnDevice()}) {
      const Outcome o = try_call("asks::workspace", x, bytes, alignment);
      EXPECT_EQ(o.code, ErrorCode::kInvalidArgument) << bytes << ", " << alignment;
      EXPECT_NE(o.message.find("aligned to"), std::string::npos) << o.message;
    }
  }
}

TEST_F(HostTest, WorkspaceThatIsNotThereIsOutOfMemory) {
  const Outcome o = try_call("asks::workspace", OnDevice(), 5000, 64);
  EXPECT_EQ(o.code, ErrorCode::kOutOfMemory) << o.message;
}

TEST_F(HostTest, PhiloxCountersAreTakenInTurnFromTheSeed) {
  manual_seed(77);
  const Tensor x = OnDevice();
  EXPECT_THAT(Ask("asks::philox", x, 10), ElementsAre(77, 0, 0));
  EXPECT_THAT(Ask("asks::philox", x, 1), ElementsAre(77, 10, 0));
}

TEST_F(HostTest, AGeneratorThatIsNoPhiloxIsSaid) {
  EXPECT_THAT(try_call("asks::philox", tensor({1.}), 1).message,
              HasSubstr("the generator of cpu is not a Philox generator"));
}

TEST_F(HostTest, ParallelForCoversEveryElementOnce) {
  const std::vector<int64_t> answer = Ask("asks::parallel", tensor({1.}), 100'000);
  EXPECT_EQ(answer[0], int64_t{100'000} * 99'999 / 2);
  EXPECT_EQ(answer[1], 100'000);
  EXPECT_GE(answer[2], 1);
}

TEST_F(HostTest, ParallelForOfNothingCallsNothing) {
  EXPECT_THAT(Ask("asks::parallel", tensor({1.}), 0), ElementsAre(0, 0, 0));
}

TEST_F(HostTest, LateErrorsAreReportedByTheNextSynchronisation) {
  const Tensor x = OnDevice();
  const Tensor answer = call("asks::later", x).take();
  try {
    BackendOf(There().type).Synchronize(0);
    FAIL() << "the error is forgotten";
  } catch (const Error& e) {
    EXPECT_THAT(e.message(), HasSubstr("the queue has melted"));
  }
}

TEST_F(HostTest, NonsenseIsAnErrorEach) {
  EXPECT_THAT(Ask("asks::nonsense", tensor({1.})),
              ElementsAre(SY_E_INVALID_ARGUMENT, SY_E_INVALID_ARGUMENT, SY_E_INVALID_ARGUMENT));
}

TEST_F(HostTest, TensorsMayBeHeldAndExtensionsAskedFor) {
  const Tensor x = tensor({1.});
  EXPECT_EQ(Ask("asks::holds", x)[0], 1);
  EXPECT_EQ(x.use_count(), 1u);
}

// A cache full of freed blocks is given back before memory is out.
TEST_F(HostTest, AllocationThatFailsIsTriedAgainAfterATrim) {
  const Tensor x = OnDevice();
  Tensor::Empty({600}, DType::kUInt8, There());  // freed at once, and cached
  const Tensor more = Tensor::Empty({700}, DType::kUInt8, There());
  EXPECT_EQ(Ask("asks::state", x)[1], 1);
  EXPECT_THROW(Tensor::Empty({700}, DType::kUInt8, There()), Error);
}

TEST_F(HostTest, BlocksAreAlignedAsTheDeviceSays) {
  const Tensor x = OnDevice();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(x.storage().data()) % 256, 0u);
}

}  // namespace
}  // namespace sy
