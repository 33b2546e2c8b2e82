// The reference cases on the devices that every build has: what is registered must pass.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "switchyard/core/device.h"
#include "switchyard/core/logging.h"
#include "switchyard/registry/registry.h"
#include "switchyard/registry/schema.h"
#include "tools/replay/folder.h"
#include "tools/replay/gzip.h"

namespace sy::replay {
namespace {

const std::string kData = "tests/conformance/data/";

struct Place {
  const char *folder, *device;
};
class ReferenceCases : public testing::TestWithParam<Place> {};

TEST_P(ReferenceCases, PassForEveryRegisteredOperator) {
  SetLogLevel(LogLevel::kError);  // resized outputs are part of the cases
  std::ostringstream failures;
  const Report r = ReplayFolder(kData + GetParam().folder,
                                {.device = ParseDevice(GetParam().device), .failures = &failures});
  EXPECT_GT(r.total().passed, 0);
  constexpr size_t kRoom = 10000;  // characters: enough to see what is wrong
  EXPECT_EQ(r.total().failed, 0) << failures.str().substr(0, kRoom);
}
INSTANTIATE_TEST_SUITE_P(Devices, ReferenceCases,
                         testing::Values(Place{"opinfo", "cpu"}, Place{"opinfo", "meta"},
                                         Place{"edge", "cpu"}, Place{"edge", "meta"}),
                         [](const testing::TestParamInfo<Place>& info) {
                           return std::string(info.param.folder) + "_on_" + info.param.device;
                         });

// Without the namespace that ATen's names have.
std::set<std::string> RecordedSchemas() {
  std::set<std::string> schemas;
  for (const char* file : {"opinfo/cases-0", "opinfo/cases-1", "edge/cases-0"}) {
    GzipLines lines(kData + file + ".jsonl.gz");
    for (std::string_view line; lines.Next(&line);) {
      const Json j = Json::parse(line);
      if (!j.contains("schema")) continue;
      const auto& schema = j["schema"].get_ref<const std::string&>();
      schemas.insert(schema.substr(schema.starts_with("aten::") ? 6 : 0));
    }
  }
  return schemas;
}

TEST(RecordedSchemas, ParseAndPrintBackUnchanged) {
  const std::set<std::string> schemas = RecordedSchemas();
  EXPECT_GT(schemas.size(), 1000u);  // the cases call 1,106 overloads
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
