// The reference cases on the device of a plugin that has next to no kernels: what falls back runs
// on copies, so that an operator that writes an argument its schema does not declare is found here.

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "switchyard/core/device.h"
#include "switchyard/core/logging.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/plugin/load.h"
#include "testing/replay/folder.h"

namespace sy::replay {
namespace {

class ForeignDevice : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    SetLogLevel(LogLevel::kError);  // resized outputs are part of the cases
    SetFallbackPolicy({.mode = FallbackMode::kAllow});
    load_plugin(std::filesystem::absolute("examples/plugins/skeleton/libskeleton.so").string());
  }
  void TearDown() override { EXPECT_EQ(unload_plugin("skeleton").text, "unloaded"); }
};

TEST_P(ForeignDevice, PassesEveryCaseByFallingBack) {
  std::ostringstream failures;
  const Report r = ReplayFolder(std::string("tests/conformance/data/") + GetParam(),
                                {.device = ParseDevice("skeleton"), .failures = &failures});
  EXPECT_GT(r.total().fallback, 0);
  EXPECT_GT(r.total().native(), 0);
  constexpr size_t kRoom = 10000;  // characters: enough to see what is wrong
  EXPECT_EQ(r.total().failed, 0) << failures.str().substr(0, kRoom);
}
INSTANTIATE_TEST_SUITE_P(Cases, ForeignDevice,
                         testing::Values("opinfo", "edge", "leaves", "names", "kinds"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace sy::replay
