// Every callback of a device fails at its first, second, third call: an error each time, nothing
// lost, and the plugin can be unloaded and used again. Or the device itself is lost there: it is
// asked for nothing from then on, says why to everybody, and takes back what it gave.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/stream.h"
#include "switchyard/core/testing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::PluginPath;

Device There() { return ParseDevice("nth"); }

// Something of everything that a program does with a device.
void Script() {
  const Tensor host = tensor({1., 2.}), a = FromHost(host, There());
  const Tensor b = Tensor::Empty({4}, DType::kFloat32, There());
  call("fill_", b, 3.);
  call("copy_", a, host);
  GetMemoryStats(There());
  PinnedCopy(host, There());
  const Stream one = Stream::New(There()), two = Stream::New(There());
  {
    const StreamGuard guard(one);
    call("fill_", b, 4.);
  }
  Event event(/*timed=*/true), end(/*timed=*/true);
  event.Record(one);
  event.Wait(two);
  end.Record(two);
  end.Query();
  end.Synchronize();
  event.ElapsedTime(end);
  one.Synchronize();
  Synchronize(There());
  EXPECT_EQ(ToString(ToHost(b)), "tensor([4., 4., 4., 4.])");
}

struct Case {
  const char* callback;
  bool said;                 // whether its first failure is an error of the script
  std::set<int> loses = {};  // the calls of it, of the first two, that may lose an opened device
};
class NthCallTest : public ::testing::TestWithParam<Case> {};

void FailAt(const char* callback, int n) {
  setenv("NTH", (std::string(callback) + ":" + std::to_string(n)).c_str(), 1);
}

TEST_P(NthCallTest, ThatFailsLosesNothing) {
  for (int n = 1; n <= 4; ++n) {
    FailAt(GetParam().callback, n);
    load_plugin(PluginPath("nth"));
    const Error error = Thrown(Script);
    if (n == 1) {
      EXPECT_EQ(error.code() != ErrorCode::kOk, GetParam().said) << error.message();
    }
    unsetenv("NTH");
    const UnloadAnswer a = unload_plugin("nth");
    ASSERT_TRUE(a.unloaded) << GetParam().callback << " call " << n << ": " << a.text;
  }
  load_plugin(PluginPath("nth"));
  EXPECT_NO_THROW(Script());
  EXPECT_EQ(unload_plugin("nth").text, "unloaded");
}
// The plugin ends the process when it is asked for something after that.
TEST_P(NthCallTest, ThatLosesTheDeviceIsTheLastOne) {
  for (int n = 1; n <= 2; ++n) {
    FailAt(GetParam().callback, n);
    setenv("NTH_LOST", "1", 1);
    load_plugin(PluginPath("nth"));
    {
      const Tensor before = n == 1 ? Tensor() : Tensor::Empty({2}, DType::kFloat32, There());
      Thrown(Script);
      for (int again = 0; GetParam().loses.contains(n) && again < 2; ++again) {
        EXPECT_THAT(ErrorOf(Script), HasSubstr("unavailable: device 'nth:0' is lost"));
        EXPECT_THAT(ErrorOf([] { Synchronize(There()); }), HasSubstr("is lost"));
        GetMemoryStats(There());
        EmptyCache(There().type);
        EmptyPinnedCache(There().type);
      }
    }
    unsetenv("NTH_LOST");
    unsetenv("NTH");
    ASSERT_EQ(unload_plugin("nth").text, "unloaded") << GetParam().callback << " call " << n;
    load_plugin(PluginPath("nth"));  // opened anew, it works
    EXPECT_NO_THROW(Script());
    EXPECT_EQ(unload_plugin("nth").text, "unloaded");
  }
}
INSTANTIATE_TEST_SUITE_P(
    Callbacks, NthCallTest,
    ::testing::Values(Case{"count", true}, Case{"open", true}, Case{"properties", true},
                      Case{"allocate", true, {1, 2}}, Case{"trim", false},
                      Case{"memory_stats", false, {1}}, Case{"copy", true, {1, 2}},
                      Case{"synchronize", true, {1}}, Case{"stream_create", true, {2}},
                      Case{"stream_synchronize", true, {1, 2}}, Case{"event_create", true, {1, 2}},
                      Case{"event_record", true, {1, 2}}, Case{"event_wait", true, {1}},
                      Case{"event_synchronize", true, {1}}, Case{"event_query", true, {1}},
                      Case{"event_elapsed", true, {1}}, Case{"kernel", true, {1, 2}},
                      Case{"host_allocate", true, {1}}),
    [](const ::testing::TestParamInfo<Case>& info) { return std::string(info.param.callback); });

class LostTest : public ::testing::Test {
 protected:
  void SetUp() override { load_plugin(PluginPath("nth")); }
  void TearDown() override {
    unsetenv("NTH");
    unsetenv("NTH_LOST");
    EXPECT_EQ(unload_plugin("nth").text, "unloaded");
  }
};

TEST_F(LostTest, DeviceLostBetweenCallsIsUnavailableAndFreesGoOn) {
  Tensor x = FromHost(tensor({1., 2.}), There());
  setenv("NTH", "kernel:1", 1);
  setenv("NTH_LOST", "1", 1);
  const Outcome o = try_call("fill_", x, 1.);
  EXPECT_EQ(o.code, ErrorCode::kUnavailable);
  EXPECT_THAT(o.message, HasSubstr("plugin 'nth'"));
  x = Tensor();
}

// What was written before is the plugin's fault; the error says so and the tensor stays usable.
TEST_F(LostTest, ErrorAfterWritingIsTheKernelsError) {
  const Tensor x = FromHost(tensor({1., 2.}), There());
  setenv("NTH", "kernel:1", 1);
  EXPECT_EQ(try_call("fill_", x, 7.).message,
            "fill_.Scalar(): plugin 'nth': no luck, with half of it written");
  call("fill_", x, 8.);
  EXPECT_EQ(ToString(ToHost(x)), "tensor([8., 8.])");
}

}  // namespace
}  // namespace sy
