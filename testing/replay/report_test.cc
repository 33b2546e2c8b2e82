#include "testing/replay/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sy::replay {
namespace {

Report Sample() {
  Report r;
  r.Count("add.Tensor", Verdict::kPassed);
  r.Count("add.Tensor", Verdict::kPassed);
  r.Count("add.Tensor", Verdict::kPassed, /*fallback=*/true);
  r.Count("add.Tensor", Verdict::kPassed, /*fallback=*/true, /*kernels=*/false);
  r.Count("view", Verdict::kPassed, /*fallback=*/false, /*kernels=*/false);
  r.Count("add.Tensor", Verdict::kFailed, /*fallback=*/true);
  r.Count("tile", Verdict::kMissing);
  r.Count("tile", Verdict::kMissing);
  return r;
}

TEST(Report, JsonHoldsTotalsAndCountsByOverload) {
  EXPECT_EQ(Json::parse(Sample().ToJson()),
            Json::parse(R"({"total": 8, "passed": 5, "native": 2, "fallback": 2, "no_kernel": 1,
              "failed": 1, "missing": 2, "ops": {
              "add.Tensor": {"passed": 4, "native": 2, "fallback": 2, "no_kernel": 0, "failed": 1,
                             "missing": 0},
              "tile": {"passed": 0, "native": 0, "fallback": 0, "no_kernel": 0, "failed": 0,
                       "missing": 2},
              "view": {"passed": 1, "native": 0, "fallback": 0, "no_kernel": 1, "failed": 0,
                       "missing": 0}}})"));
}

TEST(Report, AnEmptyReportIsValidJson) {
  EXPECT_EQ(Json::parse(Report().ToJson())["ops"], Json::object());
}

TEST(Report, TheTableHasALinePerOverloadAndTheTotals) {
  EXPECT_EQ(Sample().Table(),
            "overload     native fallback no kernel   failed  missing\n"
            "add.Tensor        2        2         0        1        0\n"
            "tile              0        0         0        0        2\n"
            "view              0        0         1        0        0\n"
            "total             2        2         1        1        2\n");
}

}  // namespace
}  // namespace sy::replay
