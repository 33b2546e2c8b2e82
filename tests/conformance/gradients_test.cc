// The recorded gradients: all agree.

#include "testing/replay/gradients.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>

#include "switchyard/core/logging.h"
#include "testing/replay/folder.h"

namespace sy::replay {
namespace {

class RecordedGradients : public testing::TestWithParam<const char*> {};

TEST_P(RecordedGradients, Agree) {
  SetLogLevel(LogLevel::kError);
  std::ostringstream failures;
  const Report r = ReplayFolder(
      "tests/conformance/gradients",
      {.device = ParseDevice(GetParam()), .failures = &failures, .gradients = &ReplayGradient});
  constexpr int64_t kRecorded = 4065;
  EXPECT_EQ(r.total().passed, kRecorded) << failures.str();
  EXPECT_EQ(r.total().total(), kRecorded);
}

INSTANTIATE_TEST_SUITE_P(Devices, RecordedGradients, testing::Values("cpu", "meta"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace sy::replay
