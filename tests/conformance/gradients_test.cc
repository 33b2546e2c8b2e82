// The recorded gradients: all agree but those of operators that gradients_missing.txt names, each
// with its reason. The list only shrinks: what it names needlessly fails too.

#include "testing/replay/gradients.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "switchyard/core/logging.h"
#include "testing/replay/folder.h"

namespace sy::replay {
namespace {

const std::string kHere = "tests/conformance/";

std::set<std::string> Listed() {
  std::set<std::string> names;
  std::ifstream in(kHere + "gradients_missing.txt");
  EXPECT_TRUE(in.good());
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find(' ')));
  }
  return names;
}

class RecordedGradients : public testing::TestWithParam<const char*> {};

TEST_P(RecordedGradients, AgreeUnlessTheirOperatorIsListed) {
  SetLogLevel(LogLevel::kError);
  const std::set<std::string> listed = Listed();
  std::ostringstream failures;
  const Report r = ReplayFolder(
      kHere + "gradients",
      {.device = ParseDevice(GetParam()), .failures = &failures, .gradients = &ReplayGradient});
  EXPECT_GT(r.total().passed, 0);
  for (const auto& [op, counts] : r.ops()) {
    const bool agrees = counts.failed + counts.missing == 0;
    if (!agrees) {
      EXPECT_TRUE(listed.contains(op)) << op << "\n" << failures.str();
    } else if (HasData(ParseDevice(GetParam()))) {
      EXPECT_FALSE(listed.contains(op)) << op << " agrees: take it off gradients_missing.txt";
    }
  }
  std::printf("%ld of %ld recorded gradients agree\n", static_cast<long>(r.total().passed),
              static_cast<long>(r.total().total()));
}

INSTANTIATE_TEST_SUITE_P(Devices, RecordedGradients, testing::Values("cpu", "meta"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace sy::replay
