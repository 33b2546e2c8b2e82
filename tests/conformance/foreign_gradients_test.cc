// The recorded gradients on the device of a plugin that has next to no kernels: formulas are made
// of operators, and what the device lacks falls back.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "switchyard/core/device.h"
#include "switchyard/core/logging.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/plugin/load.h"
#include "testing/replay/folder.h"
#include "testing/replay/gradients.h"

namespace sy::replay {
namespace {

TEST(ForeignDevice, HasGradientsByFallingBack) {
  SetLogLevel(LogLevel::kError);
  SetFallbackPolicy({.mode = FallbackMode::kAllow});
  load_plugin(std::filesystem::absolute("examples/plugins/skeleton/libskeleton.so").string());
  std::ostringstream failures;
  const Report r = ReplayFolder(
      "tests/conformance/gradients",
      {.device = ParseDevice("skeleton"), .failures = &failures, .gradients = &ReplayGradient});
  constexpr int64_t kRecorded = 4065;
  EXPECT_EQ(r.total().passed, kRecorded) << failures.str();
  EXPECT_EQ(r.total().total(), kRecorded);
  EXPECT_EQ(unload_plugin("skeleton").text, "unloaded");
}

}  // namespace
}  // namespace sy::replay
