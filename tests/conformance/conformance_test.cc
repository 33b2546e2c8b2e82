// The reference cases on the devices that every build has: all of them pass but those of operators
// that missing.txt names, and every overload is called by one or has a test that unrecorded.txt
// names. Both lists only shrink: what they name needlessly fails too.

#include <absl/functional/function_ref.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "switchyard/core/device.h"
#include "switchyard/core/logging.h"
#include "switchyard/registry/registry.h"
#include "switchyard/registry/schema.h"
#include "testing/replay/call.h"
#include "testing/replay/folder.h"
#include "testing/replay/gzip.h"
#include "tests/conformance/recorded_case.h"

namespace sy::replay {
namespace {

const std::string kHere = "tests/conformance/", kData = kHere + "data/";
const std::vector<std::string> kFolders = {"data/opinfo", "data/edge",      "data/leaves",
                                           "data/names",  "data/overloads", "data/kinds",
                                           "layouts"};

using Names = std::set<std::string>;

Names KeysOf(const std::map<std::string, std::string>& list) {
  Names keys;
  for (const auto& [name, rest] : list) keys.insert(name);
  return keys;
}

struct Place {
  const char *folder, *device;
};
class ReferenceCases : public testing::TestWithParam<Place> {};

TEST_P(ReferenceCases, PassUnlessTheirOperatorIsListedAsMissing) {
  SetLogLevel(LogLevel::kError);  // resized outputs are part of the cases
  std::ostringstream failures;
  const Report r = ReplayFolder(kData + GetParam().folder,
                                {.device = ParseDevice(GetParam().device), .failures = &failures});
  EXPECT_GT(r.total().passed, 0);
  constexpr size_t kRoom = 10000;  // characters: enough to see what is wrong
  EXPECT_EQ(r.total().failed, 0) << failures.str().substr(0, kRoom);
  const auto listed = ReadList("missing.txt");
  for (const auto& [op, counts] : r.ops()) {
    EXPECT_TRUE(counts.missing == 0 || listed.contains(op)) << op << " is not registered";
  }
}
INSTANTIATE_TEST_SUITE_P(Devices, ReferenceCases,
                         testing::Values(Place{"opinfo", "cpu"}, Place{"opinfo", "meta"},
                                         Place{"edge", "cpu"}, Place{"edge", "meta"},
                                         Place{"leaves", "cpu"}, Place{"leaves", "meta"},
                                         Place{"names", "cpu"}, Place{"names", "meta"},
                                         Place{"overloads", "cpu"}, Place{"overloads", "meta"},
                                         Place{"kinds", "cpu"}, Place{"kinds", "meta"}),
                         [](const testing::TestParamInfo<Place>& info) {
                           return std::string(info.param.folder) + "_on_" + info.param.device;
                         });

// Every recorded call; of a seeded sequence, every call of it.
void ForEachCall(absl::FunctionRef<void(const Json&)> f) {
  for (const std::string& folder : kFolders) {
    for (const auto& entry : std::filesystem::directory_iterator(kHere + folder)) {
      const std::string file = entry.path().filename();
      const bool cases = file.starts_with("cases-");
      if (!cases && !(file.starts_with("random-") && !file.starts_with("random-blob"))) continue;
      GzipLines lines(entry.path());
      for (std::string_view line; lines.Next(&line);) {
        const Json j = Json::parse(line);
        if (cases) {
          f(j);
        } else {
          for (const Json& call : j.at("calls")) f(call);
        }
      }
    }
  }
}

// Without the namespace that ATen's names have.
Names RecordedSchemas() {
  Names schemas;
  ForEachCall([&](const Json& call) {
    if (!call.contains("schema")) return;
    const auto& schema = call["schema"].get_ref<const std::string&>();
    schemas.insert(schema.substr(schema.starts_with("aten::") ? 6 : 0));
  });
  return schemas;
}

// Overloads with a recorded call that succeeds.
Names RecordedOverloads() {
  Names names;
  ForEachCall([&](const Json& call) {
    if (!call.contains("error")) names.insert(OpOf(call));
  });
  return names;
}

TEST(Overloads, AreAllRecordedOrHaveATestThatIsListed) {
  const Names recorded = RecordedOverloads();
  Names unrecorded;
  for (const OperatorEntry* op : Registry::Global().Entries()) {
    if (!recorded.contains(std::string(op->name()))) unrecorded.emplace(op->name());
  }
  EXPECT_EQ(unrecorded, KeysOf(ReadList("unrecorded.txt")));
}

TEST(Overloads, TestsThatAreListedCallThem) {
  for (const auto& [op, file] : ReadList("unrecorded.txt")) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_TRUE(text.find('"' + op + '"') != text.npos) << file << " does not call " << op;
  }
}

TEST(Overloads, ListedAsMissingAreMissing) {
  for (const std::string& name : KeysOf(ReadList("missing.txt")))
    EXPECT_EQ(Registry::Global().Find(name), nullptr) << name;
}

TEST(RecordedSchemas, ParseAndPrintBackUnchanged) {
  const Names schemas = RecordedSchemas();
  EXPECT_GT(schemas.size(), 1400u);
  for (const std::string& s : schemas) EXPECT_EQ(ParseSchema(s).str(), s);
}

TEST(RecordedSchemas, AreThoseOfTheRegisteredOperators) {
  for (const std::string& s : RecordedSchemas()) {
    const OperatorEntry* op = Registry::Global().Find(s.substr(0, s.find('(')));
    if (op != nullptr) {
      EXPECT_EQ(op->schema().str(), s);
    }
  }
}

}  // namespace
}  // namespace sy::replay
