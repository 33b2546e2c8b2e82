// The recorded gradients: all agree but those of operators that gradients_missing.txt names, each
// with its reason. The list only shrinks: what it names needlessly fails too.

#include "testing/replay/gradients.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "switchyard/core/logging.h"

namespace sy::replay {
namespace {

const std::string kHere = "tests/conformance/";

std::set<std::string> Listed(const char* file) {
  std::set<std::string> names;
  std::ifstream in(kHere + file);
  EXPECT_TRUE(in.good());
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find(' ')));
  }
  return names;
}

TEST(RecordedGradients, AgreeUnlessTheirOperatorIsListed) {
  SetLogLevel(LogLevel::kError);
  const std::set<std::string> listed = Listed("gradients_missing.txt");
  std::map<std::string, std::string> failed;  // the first reason
  int passed = 0, calls = 0;
  ReplayGradients(kHere + "gradients", ParseDevice("cpu"),
                  [&](const std::string& op, const Json& call, const Outcome& o) {
                    ++calls;
                    if (o.verdict == Verdict::kPassed) {
                      ++passed;
                    } else {
                      failed.emplace(op, o.why.substr(0, o.why.find('\n')) +
                                             (call.contains("second") ? " (with second)" : ""));
                    }
                  });
  EXPECT_GT(passed, 0);
  std::printf("%d of %d recorded gradients agree, %zu operators do not\n", passed, calls,
              failed.size());
  for (const auto& [op, why] : failed) {
    EXPECT_TRUE(listed.contains(op)) << op << ": " << why;
  }
  for (const std::string& op : listed) {
    EXPECT_TRUE(failed.contains(op)) << op << " agrees: take it off gradients_missing.txt";
  }
}

// No body goes beneath operators and loses the gradient in silence: of what requires one, results
// do, but for those of operators that no_gradient.txt names.
TEST(Gradients, AreNotLost) {
  SetLogLevel(LogLevel::kError);
  const std::set<std::string> listed = Listed("no_gradient.txt");
  std::set<std::string> found;
  for (const char* folder : {"edge", "kinds", "leaves", "names", "opinfo", "overloads"}) {
    found.merge(WithoutGradient(kHere + "data/" + folder, ParseDevice("cpu")));
  }
  for (const std::string& op : found) {
    EXPECT_TRUE(listed.contains(op)) << op << ": no result requires a gradient";
  }
  for (const std::string& op : listed) {
    EXPECT_TRUE(found.contains(op)) << op << " has gradients: take it off no_gradient.txt";
  }
}

}  // namespace
}  // namespace sy::replay
