// What the tests share: the plugin, loaded for each of them, tensors there and here, and how far
// they are from each other. XNNPACK_PLUGIN: the object's path.
#ifndef XNNPACK_TESTING_H_
#define XNNPACK_TESTING_H_

#include <gtest/gtest.h>

#include <string>

#include "plugin_path.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/plugin/load.h"
#include "switchyard/switchyard.h"

namespace xnnpack {

using namespace sy;  // NOLINT: tests

class PluginTest : public ::testing::Test {
 protected:
  void SetUp() override {
    load_plugin(PluginPath());
    SetFallbackPolicy({});
    manual_seed(0);
  }
  void TearDown() override {
    SetFallbackPolicy({});
    const UnloadAnswer answer = unload_plugin("xnnpack");
    EXPECT_TRUE(answer.unloaded) << answer.text;
  }

  static sy::Device Xnnpack() { return ParseDevice("xnnpack"); }
  static Tensor There(const Tensor& t) { return to(t, std::nullopt, std::nullopt, Xnnpack()); }
  static Tensor Back(const Tensor& t) {
    return to(t, std::nullopt, std::nullopt, sy::Device{kHost});
  }
  static std::string Here(const Tensor& t) { return ToString(Back(t)); }
  static Tensor ChannelsLast(const Tensor& t) { return contiguous(t, MemoryFormat::kChannelsLast); }
  // The largest difference of two tensors' elements, of one size, on any devices.
  static double Distance(const Tensor& a, const Tensor& b) {
    EXPECT_EQ(a.sizes(), b.sizes());
    const Tensor x = to(Back(a), DType::kFloat64), y = to(Back(b), DType::kFloat64);
    return item(amax(abs(sub(x, y)))).To<double>();
  }
  // Of calls that the plugin's kernels passed on.
  static int64_t DeclinedCalls() {
    for (const PluginInfo& plugin : loaded_plugins())
      if (plugin.name == "xnnpack") return plugin.declined;
    return -1;
  }
};

}  // namespace xnnpack

#endif  // XNNPACK_TESTING_H_
