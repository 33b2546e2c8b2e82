// The recorded gradients: all agree.

#include "testing/replay/gradients.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "switchyard/core/logging.h"
#include "testing/replay/folder.h"
#include "tests/conformance/recorded_case.h"

namespace sy::replay {
namespace {

const std::string kHere = "tests/conformance/";

class RecordedGradients : public testing::TestWithParam<const char*> {};

TEST_P(RecordedGradients, Agree) {
  SetLogLevel(LogLevel::kError);
  std::ostringstream failures;
  const Report r = ReplayFolder(
      kHere + "gradients",
      {.device = ParseDevice(GetParam()), .failures = &failures, .gradients = &ReplayGradient});
  constexpr int64_t kRecorded = 4065;
  EXPECT_EQ(r.total().passed, kRecorded) << failures.str();
  EXPECT_EQ(r.total().total(), kRecorded);
}

INSTANTIATE_TEST_SUITE_P(Devices, RecordedGradients, testing::Values("cpu", "meta"),
                         [](const auto& info) { return std::string(info.param); });

// No body goes beneath operators and loses the gradient in silence: of what requires one, results
// do, but for those of operators that no_gradient.txt names.
TEST(Gradients, AreNotLost) {
  SetLogLevel(LogLevel::kError);
  const std::map<std::string, std::string> listed = ReadList("no_gradient.txt");
  std::set<std::string> found;
  for (const char* folder : {"edge", "kinds", "leaves", "names", "opinfo", "overloads"}) {
    found.merge(WithoutGradient(kHere + "data/" + folder, ParseDevice("cpu")));
  }
  for (const std::string& op : found) {
    EXPECT_TRUE(listed.contains(op)) << op << ": no result requires a gradient";
  }
  for (const auto& [op, reason] : listed) {
    EXPECT_TRUE(found.contains(op)) << op << " has gradients: take it off no_gradient.txt";
  }
}

}  // namespace
}  // namespace sy::replay
