// The kit measured: plugins that pass, and the same ones with one thing wrong, which must not.
// Each test prints a row: fault, check, what the check says.

#include <algorithm>
#include <iostream>

#include "testing/conform/faults.h"
#include "testing/conform/testing.h"

namespace sy::conform {
namespace {

const std::string kMutant =
    "--plugin testing/conform/testdata/libmutant.so --device mutant --cycles 200 ";
const std::string kLate =
    "--plugin testing/conform/testdata/liblate.so --device worker --cycles 200 --fail late::fail ";
const std::string kReference = "--reference testing/conform/testdata/libreference.so ";

// All but kernels.large, which takes minutes with kernels as slow as these.
constexpr const char* kChecks[] = {"[!k]*", "kernels.[!l]*"};

struct Found {
  bool any = false;
  std::string why, others, out;  // what the fault's check says; names of others that fail
};

// Runs the check alone; with SWITCHYARD_LONG=1 all of them.
Found With(const Fault& f, const std::string& arguments) {
  const char* const is_long = std::getenv("SWITCHYARD_LONG");
  std::vector<std::string> patterns = {f.check};
  if (is_long != nullptr && std::string(is_long) == "1")
    patterns.assign(std::begin(kChecks), std::end(kChecks));
  Found found;
  setenv("MUTANT", f.name, 1);
  for (const std::string& pattern : patterns) {
    const Ran r = Conform(arguments + "--limit 20 --check '" + pattern + "'");
    found.out += r.out;
    for (const auto& c : r.report.value("checks", nlohmann::json::array())) {
      if (c["verdict"] != "fail") continue;
      found.any = true;
      if (c["name"] == f.check)
        found.why = c["why"];
      else
        found.others += " " + c["name"].get<std::string>();
    }
  }
  unsetenv("MUTANT");
  return found;
}

void Expect(const Fault& f, const std::string& arguments) {
  const Found found = With(f, arguments);
  const Missed* missed = std::find_if(std::begin(kMissed), std::end(kMissed), [&](const Missed& m) {
    return std::string(m.name) == f.name;
  });
  std::cout << f.name << " | " << (found.any ? f.check + found.others : "missed") << " | "
            << found.why << "\n";
  if (missed == std::end(kMissed)) {
    EXPECT_NE(found.why, "") << found.out;
  } else {
    EXPECT_FALSE(found.any) << "it is found, and listed as missed: " << missed->why << "\n"
                            << found.out;
  }
}

class KernelFaults : public testing::TestWithParam<Fault> {};
TEST_P(KernelFaults, AreFound) { Expect(GetParam(), kMutant); }
INSTANTIATE_TEST_SUITE_P(All, KernelFaults, testing::ValuesIn(kKernelFaults));

class LateFaults : public testing::TestWithParam<Fault> {};
TEST_P(LateFaults, AreFound) { Expect(GetParam(), kLate); }
INSTANTIATE_TEST_SUITE_P(All, LateFaults, testing::ValuesIn(kLateFaults));

TEST(Mutation, WithoutAFaultEveryCheckPasses) {
  for (const char* checks : kChecks) {
    for (const std::string& plugin : {kMutant, kMutant + kReference, kLate}) {
      const Ran r = Conform(plugin + "--check '" + checks + "'");
      EXPECT_EQ(r.status, 0) << r.out;
    }
  }
}

TEST(Mutation, AReferenceFindsWhatASecondRunCannot) {
  const Fault f = {"smooth takes another by", "operators.arguments"};
  const Found found = With(f, kMutant + kReference);
  EXPECT_NE(found.why, "") << found.out;
}

TEST(Mutation, EnoughIsTriedAndLittleMissed) {
  constexpr size_t kKernels = std::size(kKernelFaults), kLater = std::size(kLateFaults);
  static_assert(kKernels >= 40 && kLater >= 12);
  static_assert(std::size(kMissed) * 100 <= (kKernels + kLater) * 5);  // 95 % are found
}

TEST(Mutation, TheReportListsKernelsAndDtypes) {
  const Ran r = Conform(kMutant + "--check '*.arguments'");
  ASSERT_TRUE(r.report.contains("exercised")) << r.out;
  std::string add, smooth;
  for (const auto& e : r.report["exercised"]) {
    EXPECT_GT(e["calls"], 0) << e;
    if (e["operator"] == "add.Tensor" && e["dtype"] == "int64") add = e["measured_by"];
    if (e["operator"] == "mutant::smooth" && e["dtype"] == "float32") smooth = e["measured_by"];
  }
  EXPECT_EQ(add, "reference");
  EXPECT_EQ(smooth, "second run");
}

}  // namespace
}  // namespace sy::conform
