// What the tests share: the plugin, loaded for each of them, and tensors there and here.
#ifndef OPENCL_TESTING_H_
#define OPENCL_TESTING_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/ops.h"
#include "switchyard/plugin/load.h"

namespace opencl {

using namespace sy;  // NOLINT: tests

class PluginTest : public ::testing::Test {
 protected:
  void SetUp() override { Load("libswitchyard_opencl.so"); }
  void TearDown() override { Unload("opencl"); }

  // path: below the folder that Bazel runs tests in.
  static void Load(const char* path) { load_plugin(std::filesystem::absolute(path).string()); }
  static void Unload(const char* plugin) {
    const UnloadAnswer answer = unload_plugin(plugin);
    EXPECT_TRUE(answer.unloaded) << answer.text;
  }
  static Tensor To(const Tensor& t, const char* device) {
    return to(t, std::nullopt, std::nullopt, ParseDevice(device));
  }
  static Tensor There(const Tensor& t) { return To(t, "opencl"); }
  static std::string Here(const Tensor& t) { return ToString(To(t, "cpu")); }
};

}  // namespace opencl

#endif  // OPENCL_TESTING_H_
