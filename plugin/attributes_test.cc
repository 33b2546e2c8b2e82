// What devices of plugins say of themselves, their options, their own times, and copies between
// their indices.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/profiler.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using testing::PluginPath;

class AttributesTest : public ::testing::Test {
 protected:
  void SetUp() override { load_plugin(PluginPath("pair")); }
  void TearDown() override { EXPECT_EQ(unload_plugin("pair").text, "unloaded"); }
  static Device At(const char* text) { return ParseDevice(text); }
  static std::string AttributeOf(const char* device, size_t i) {
    return DeviceAttributes(At(device))[i].second;
  }
};

TEST_F(AttributesTest, AreOfEachIndex) {
  EXPECT_THAT(DeviceAttributes(At("pair:1")),
              ElementsAre(Pair("index", "1"), Pair("speed", "slow"), Pair("warm_ups", "0"),
                          Pair("copies", "0")));
  EXPECT_TRUE(DeviceAttributes(Device{kHost}).empty());
}

TEST_F(AttributesTest, OptionsAreTheDevicesOwn) {
  SetDeviceOption(At("pair:1"), "speed", "fast");
  EXPECT_EQ(AttributeOf("pair:1", 1), "fast");
  EXPECT_EQ(AttributeOf("pair:0", 1), "slow");
  try {
    SetDeviceOption(At("pair"), "colour", "red");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kNotFound);
    EXPECT_THAT(e.message(), HasSubstr("has no option 'colour'"));
  }
  try {
    SetDeviceOption(At("pair:1"), "speed", "7");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(e.message(), HasSubstr("pair:1: option 'speed' = '7': a speed is slow or fast"));
  }
  EXPECT_THROW(SetDeviceOption(Device{kHost}, "speed", "fast"), Error);
}

TEST_F(AttributesTest, WarmUpReachesTheDevice) {
  WarmUp(At("pair:1"));
  EXPECT_EQ(AttributeOf("pair:1", 2), "1");
  WarmUp(Device{kHost});
}

TEST_F(AttributesTest, IndicesCopyToEachOther) {
  const Tensor host = Tensor::Empty({5}, DType::kUInt8);
  call("fill_", host, 9);
  const Tensor there = FromHost(host, At("pair:0"));
  const Tensor other = Tensor::Empty({5}, DType::kUInt8, At("pair:1"));
  call("copy_", other, there);
  EXPECT_EQ(AttributeOf("pair:1", 3), "1");
  EXPECT_EQ(ToHost(other).at<uint8_t>(4), 9);
  // What the driver declines goes another way.
  const Tensor part = Tensor::Empty({3}, DType::kUInt8, At("pair:1"));
  call("copy_", part, there.AsStrided({3}, {1}, 1));
  EXPECT_EQ(AttributeOf("pair:1", 3), "1");
  EXPECT_EQ(ToHost(part).at<uint8_t>(2), 9);
}

TEST_F(AttributesTest, TheProfilerShowsADevicesOwnTimes) {
  Profiler profiler;
  {
    const Profiler::DeviceScope device(profiler, At("pair:1"));
    const Profiler::Scope host(profiler);
    call("fill_", Tensor::Empty({4}, DType::kFloat32, At("pair:1")), 1);
  }
  const auto timed = profiler.DeviceEvents();
  ASSERT_EQ(timed.size(), 1u);
  EXPECT_EQ(timed[0].name, "fill");
  const Profiler::Event call = profiler.Events()[0];
  EXPECT_GE(timed[0].begin_ns, call.begin_ns);
  EXPECT_LE(timed[0].end_ns, call.end_ns);
  EXPECT_THAT(profiler.ChromeTrace(), HasSubstr("\"pid\": \"pair:1\""));
  EXPECT_THROW(Profiler::DeviceScope(profiler, Device{kHost}), Error);
}

}  // namespace
}  // namespace sy
