#include "tools/replay/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sy::replay {
namespace {

Report Sample() {
  Report r;
  r.Count("add.Tensor", Verdict::kPassed, 3);
  r.Count("add.Tensor", Verdict::kFailed);
  r.Count("tile", Verdict::kMissing, 2);
  return r;
}

TEST(Report, JsonHoldsTotalsAndCountsByOverload) {
  EXPECT_EQ(Json::parse(Sample().ToJson()),
            Json::parse(R"({"total": 6, "passed": 3, "failed": 1, "missing": 2, "ops": {
              "add.Tensor": {"passed": 3, "failed": 1, "missing": 0},
              "tile": {"passed": 0, "failed": 0, "missing": 2}}})"));
}

TEST(Report, AnEmptyReportIsValidJson) {
  EXPECT_EQ(Json::parse(Report().ToJson())["ops"], Json::object());
}

TEST(Report, TheTableHasALinePerOverloadAndTheTotals) {
  EXPECT_EQ(Sample().Table(),
            "overload     passed   failed  missing\n"
            "add.Tensor        3        1        0\n"
            "tile              0        0        2\n"
            "total             3        1        2\n");
}

}  // namespace
}  // namespace sy::replay
